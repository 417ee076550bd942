interface ModuleInfo {
  readonly importers: readonly string[];
}
interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/**
 * A group of chunks that holds everything that a module needs before it can run. Without it, the bundler
 * makes a chunk of its own for each set of pages that share something: thirty requests of a kilobyte each
 * stand between a visitor and his first page.
 * @param entry matches the id of the module
 * @param within matches the ids of those that may be taken in; default: all
 */
export function inOneChunk(name: string, entry: RegExp, within = /(?:)/) {
  const known = new Map<string, boolean>();
  const isNeeded = (id: string, graph: Graph): boolean => {
    const answer = known.get(id);
    if (answer !== undefined) return answer;
    // Modules that import each other in a circle are needed if somebody outside of it needs them.
    known.set(id, false);
    const isSo =
      entry.test(id) || (graph.getModuleInfo(id)?.importers ?? []).some((one) => isNeeded(one, graph));
    known.set(id, isSo);
    return isSo;
  };
  return {
    debugName: name,
    name: (id: string, graph: Graph) => (within.test(id) && isNeeded(id, graph) ? name : null),
  };
}
