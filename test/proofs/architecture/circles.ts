type Edge = readonly [from: string, to: string];

/** The groups of nodes that reach each other. */
export function findCircles(edges: readonly Edge[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  const reachable = new Map<string, Set<string>>();
  for (const start of targets.keys()) {
    const reached = new Set(targets.get(start));
    // Iterating over a set includes members added during the iteration.
    for (const node of reached) for (const target of targets.get(node) ?? []) reached.add(target);
    reachable.set(start, reached);
  }
  const reaches = (from: string, to: string): boolean => reachable.get(from)?.has(to) ?? false;
  const circles = [...targets.keys()]
    .filter((node) => reaches(node, node))
    .map((node) =>
      [...targets.keys()].filter((other) => reaches(node, other) && reaches(other, node)).sort(),
    );
  return [...new Set(circles.map((nodes) => `circle of ${nodes.join(", ")}`))];
}
