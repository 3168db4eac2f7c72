#!/bin/sh
# browser.sh CHROMIUM TEST_PROGRAM: shows report.html in a real browser and asks it what it has drawn.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" --write "$folder/report.html"
cat >>"$folder/report.html" <<'SCRIPT'
<script>
addEventListener("load", () => {
  const plots = [...document.querySelectorAll("svg")];
  const drawn = plots.filter(s => s.getBoundingClientRect().width > 300 && s.querySelectorAll("rect,circle").length > 1);
  const outside = plots.flatMap(s => { const b = s.getBoundingClientRect();
    return [...s.querySelectorAll("rect,circle,text")].filter(e => { const r = e.getBoundingClientRect();
      return r.right > b.right + 1 || r.left < b.left - 1 || r.bottom > b.bottom + 1 || r.top < b.top - 1; }); });
  const ink = getComputedStyle(document.querySelector("rect.s0")).fill;
  document.body.setAttribute("data-seen", `plots ${plots.length} drawn ${drawn.length} outside ${outside.length} ` +
    `wide ${document.documentElement.scrollWidth > innerWidth} ink ${ink != "rgb(0, 0, 0)"}`);
});
</script>
SCRIPT
seen=$("$1" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --window-size=1000,1400 \
  --virtual-time-budget=2000 --dump-dom "file://$folder/report.html" 2>/dev/null | grep -o 'data-seen="[^"]*"' || true)
echo "$seen"
case $seen in
*'plots 0'*) exit 1 ;;
*'outside 0 wide false ink true"') ;;
*) exit 1 ;;
esac
plots=$(echo "$seen" | sed 's/.*plots \([0-9]*\).*/\1/')
drawn=$(echo "$seen" | sed 's/.*drawn \([0-9]*\).*/\1/')
test "$plots" -ge 4 && test "$plots" = "$drawn"
