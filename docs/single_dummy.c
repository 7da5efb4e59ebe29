/* Questions about hidden hands by libsetrograde_ask: the best play of a suit, and the best line over
   layouts that the program gives. */
#include <setrograde_ask.h>
#include <stdio.h>
#include <string.h>

/* Asks, prints the answer, and returns 1 if the answer has `expected`. */
static int asked(sg_desk *desk, const char *question, const char *expected)
{
  static char answer[1 << 20];
  if (sg_desk_ask(desk, question, 0, answer, sizeof answer) < 0)
  {
    fprintf(stderr, "%s\n", answer);
    return 0;
  }
  printf("%s\n", answer);
  return strstr(answer, expected) != NULL;
}

int main(void)
{
  char cut[10];
  /* The database in use. */
  sg_desk *desk = sg_desk_new(NULL);
  int good = desk != NULL;

  good &= asked(desk, "{\"ask\": \"suit\", \"north\": \"AJT98\", \"south\": \"432\", \"tricks\": 4}",
                "\"chance\"");
  /* North has no entry: after the ace its winners are out of reach. */
  good &= asked(desk, "{\"ask\": \"suit\", \"north\": \"KQJT\", \"south\": \"A\", \"entries\": [0, null]}",
                "\"at_least\":[1.0,1.0,0.0,0.0,0.0]");
  /* The line that takes two tricks in most of the layouts, of which the second counts three times. */
  good &= asked(desk,
                "{\"ask\": \"best_line\", \"question\": \"NT S N:AQ... ? 54... ? out=K763...\","
                " \"layouts\": [\"N:AQ... K7... 54... 63...\", \"N:AQ... 76... 54... K3...\"],"
                " \"weights\": [1, 3], \"tricks\": 2, \"plan\": true}",
                "\"worth\":0.75");
  good &= asked(desk, "{\"ask\": \"solve\", \"question\": \"NT S N:AQ... 76... 54... K3...\"}",
                "\"tricks\":2,");
  /* A question that has no answer. */
  good &= asked(desk, "{\"ask\": \"suit\", \"north\": \"AQ\", \"south\": \"A2\"}", "\"error\"");
  /* A text that does not fit is cut. */
  good &= sg_desk_ask(desk, "{}", 0, cut, sizeof cut) >= 10 && strlen(cut) == 9;
  sg_desk_free(desk);
  return good ? 0 : 1;
}
