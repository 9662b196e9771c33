import { number } from "../shell/text";
import { type Drawn, sumAt } from "./series";

/** The numbers of a chart, without points that have none. */
export const PointTable = ({ drawn, heading }: { drawn: Drawn; heading: string }) => {
  const { names, series, before } = drawn;
  const rows = names.flatMap((name, index) =>
    sumAt(series, index) + (before?.[index] ?? 0) === 0 ? [] : [{ name, index }],
  );
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {series.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
            {before !== null && (
              <th scope="col" class="number">
                Before
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, index }) => (
            <tr>
              <th scope="row">{name}</th>
              {series.map(({ values }) => (
                <td class="number">{number(values[index] ?? 0)}</td>
              ))}
              {before !== null && <td class="number">{number(before[index] ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};
