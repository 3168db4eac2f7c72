# report.html in a real browser, where there is one.
find_program(VEL_CHROMIUM NAMES chromium chromium-browser google-chrome)
if(VEL_CHROMIUM)
  add_test(NAME bench/browser
    COMMAND ${PROJECT_SOURCE_DIR}/tests/bench/browser.sh ${VEL_CHROMIUM} $<TARGET_FILE:test_bench_html>)
  set_tests_properties(bench/browser PROPERTIES TIMEOUT 120 LABELS bench)
endif()
