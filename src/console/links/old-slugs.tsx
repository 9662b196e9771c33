import { Dangerous } from "../shell/form";

/** With `action`, each slug has a form that drops it. */
export const OldSlugs = ({ slugs, action }: { slugs: readonly string[]; action: string | undefined }) =>
  action === undefined ? (
    <>{slugs.join(", ")} </>
  ) : (
    <ul>
      {slugs.map((slug) => (
        <li>
          {slug}
          <Dangerous
            summary={`Drop ${slug}`}
            action={action}
            button="Drop it for good"
            consequence={
              <>
                <strong>{slug}</strong> and every code printed with it lead nowhere from now on. The slug
                stays this workspace’s own, so that a link can use it again.
              </>
            }
          >
            <input type="hidden" name="slug" value={slug} />
          </Dangerous>
        </li>
      ))}
    </ul>
  );
