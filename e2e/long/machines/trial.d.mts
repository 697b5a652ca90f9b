import type { Cell } from './cells.mjs'
import type { Composition } from './composition.mjs'

/** Tries a machine in a folder that others of the table may share; `digests` keeps the digests of earlier videos. */
export const tryMachine: (
  work: string,
  cell: Cell,
  compositions: readonly Composition[],
  digests: Record<string, string>,
) => Promise<{ readonly problems: readonly string[]; readonly refusals: readonly string[] }>
