import type { EditSession, Operation } from '@vid/edit'
import type { Editor } from '@vid/kernel'

/** The file of a target that is a place in one version of a file; undefined for a DOM id. */
const placeOf = (operation: Operation) =>
  'target' in operation && typeof operation.target === 'object' ? operation.target : undefined

/** Operations on later places first: what they add or remove moves no place of an earlier one. */
const lastFirst = (operations: readonly Operation[]): readonly Operation[] =>
  operations.every((operation) => placeOf(operation)) ? operations.toReversed() : operations

/**
 * Stages operations that belong together, and reports how many steps that took: all or none. Places are those of the
 * files before the first one, which a session knows of its first operation alone.
 */
export const stageTogether = async (
  session: EditSession,
  operations: readonly Operation[],
  who: Editor,
): Promise<number> => {
  const before = session.steps().length
  const count = () => session.steps().length - before
  if (operations.length === 1 || operations.every((operation) => !placeOf(operation))) {
    await session.stage(operations, { who })
    return count()
  }
  const files = new Set(operations.flatMap((operation) => placeOf(operation)?.file ?? []))
  const digests = new Map(
    await Promise.all([...files].map(async (file) => [file, await session.digest(file)] as const)),
  )
  try {
    for (const operation of lastFirst(operations)) {
      const place = placeOf(operation)
      const isCurrent = place && place.digest === digests.get(place.file)
      const digest = isCurrent ? await session.digest(place.file) : place?.digest
      const target = place && { ...place, digest }
      await session.stage([target ? { ...operation, target } : operation], { who })
    }
  } catch (thrown) {
    session.discard(count())
    throw thrown
  }
  return count()
}
