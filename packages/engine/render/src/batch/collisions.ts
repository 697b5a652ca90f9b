import { dirname } from 'node:path'

/** The path of a row's result. */
export interface RowOutput {
  /** The row's name in messages, such as `row 3`. */
  readonly row: string
  /** The output's name in messages. */
  readonly name: string
  /** Equal for two outputs that are one place. */
  readonly key: string
}

/** An output that cannot be there beside the others. */
export interface Collision<O extends RowOutput> {
  readonly output: O
  /** What has its place, such as `row 3`. */
  readonly owner: string
  readonly problem: string
}

const foldersAbove = (key: string): string[] => {
  const folder = dirname(key)
  return folder === key ? [] : [folder, ...foldersAbove(folder)]
}

/**
 * Outputs that are those of an earlier row or of another owner of a key, then those inside the output of another row.
 */
export const findCollisions = <O extends RowOutput>(
  outputs: readonly O[],
  {
    owners = [],
    hasFolders = true,
  }: { readonly owners?: Iterable<[string, string]>; readonly hasFolders?: boolean } = {},
): readonly Collision<O>[] => {
  const ownerOf = new Map(owners)
  const collisions: Collision<O>[] = []
  for (const output of outputs) {
    const owner = ownerOf.get(output.key)
    if (owner === undefined) ownerOf.set(output.key, output.row)
    else collisions.push({ output, owner, problem: `its ${output.name} is also that of ${owner}` })
  }
  for (const output of hasFolders ? outputs : []) {
    const outer = foldersAbove(output.key).find((folder) => ownerOf.has(folder))
    if (outer === undefined) continue
    const owner = ownerOf.get(outer) ?? ''
    collisions.push({ output, owner, problem: `its ${output.name} is inside that of ${owner}` })
  }
  return collisions
}
