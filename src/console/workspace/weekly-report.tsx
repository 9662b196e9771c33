import { setWeeklyReport } from "../../access/weekly-report";
import { notFound } from "../../errors";
import { PostButton } from "../shell/button";
import { here, href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { currentPage, type Form, type PageContext } from "../shell/request";
import { Card } from "../shell/text";

/** Where a person switches their own report on or off. */
export const WeeklyReportCard = ({ isOn }: { isOn: boolean }) => (
  <Card id="weekly-report" title="Weekly report">
    <p>
      {isOn ? "You get" : "You can get"} the figures of the last seven days by mail once a week, at{" "}
      <bdi>{currentPage().var.person.email}</bdi>. Each member decides for themselves.
    </p>
    <PostButton
      to={here.weeklyReport()}
      label={isOn ? "Stop the weekly report" : "Send me the weekly report"}
      name="wanted"
      value={isOn ? "false" : "true"}
    />
  </Card>
);

export async function changeWeeklyReport(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, person, workspace } = c.var;
  if (ctx.config.mail === null) throw notFound();
  const isWanted = fields["wanted"] === "true";
  await setWeeklyReport(ctx, person.email, isWanted);
  const notice = isWanted
    ? "You get the weekly report, the first one within a day."
    : "You no longer get the weekly report.";
  return redirectWithNotice(c, href.settings(workspace), notice);
}
