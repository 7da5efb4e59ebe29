/* The best play of a suit, and the best line over layouts, by libsetrograde_ask. */
#include <setrograde_ask.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  static char answer[1 << 20];
  const char *layouts = "N:AQ... K7... 54... 63...\n"
                        "N:AQ... 76... 54... K3... 3\n";
  int length;

  length = sg_suit("AJT98", "432", NULL, 13, 13, -1, -1, 4, 0, answer, sizeof answer);
  if (length < 0)
  {
    fprintf(stderr, "%s\n", answer);
    return 1;
  }
  printf("%s\n", answer);

  /* North has no entry: after the ace its winners are out of reach. */
  length = sg_suit("KQJT", "A", NULL, 13, 13, 0, -1, -1, 0, answer, sizeof answer);
  if (length < 0 || strstr(answer, "\"at_least\":[1.0,1.0,0.0,0.0,0.0]") == NULL)
    return 1;

  length = sg_single_dummy("NT S N:AQ... ? 54... ? out=K763...", layouts, "target 2", 0,
                           answer, sizeof answer);
  if (length < 0)
  {
    fprintf(stderr, "%s\n", answer);
    return 1;
  }
  printf("%s\n", answer);

  /* Any question of the command. */
  length = sg_ask("{\"ask\": \"solve\", \"question\": \"NT S N:AQ... 76... 54... K3...\"}", 0,
                  answer, sizeof answer);
  if (length < 0 || strstr(answer, "\"tricks\":2,") == NULL)
    return 1;

  /* Prints the error. */
  if (sg_single_dummy("NT S N:AQ... ? 54... ? out=K763...", "", NULL, 0, answer, sizeof answer) != SG_WRONG
      || strstr(answer, "layouts") == NULL)
    return 1;
  /* A text that does not fit is cut. */
  if (sg_suit("AQ", "32", NULL, 13, 13, -1, -1, -1, 0, answer, 10) < 10 || strlen(answer) != 9)
    return 1;
  return sg_suit("AQ", "32", NULL, 14, 13, -1, -1, -1, 0, NULL, 0) == SG_WRONG ? 0 : 1;
}
