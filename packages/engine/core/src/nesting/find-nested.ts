import { defaultTreeAdapter as adapter } from 'parse5'
import { fail } from '../errors.ts'
import { nestedCandidates } from '../source/project-references.ts'
import { attributeOf, type Element } from '../source/tree.ts'
import { type NestedFile, readNestedFile } from './nested-file.ts'
import { placeOf } from './nested-host.ts'

const MAX_DEPTH = 20

/** An embedded file that was found and parsed. */
interface FoundFile {
  /** Relative to the project. */
  readonly file: string
  readonly nested: NestedFile
  /** Files from the entry to this one. */
  readonly chain: readonly string[]
}

/** Whether an embedded file has nothing to show. */
export const isEmptyFile = ({ nodes }: NestedFile): boolean =>
  nodes.every((node) => adapter.isTextNode(node) && node.value.trim() === '')

/** Finds the file that a host embeds. `chain` are the files from the entry to the host's; a cycle is a coded error. */
export const findNested = async (
  host: Element,
  chain: readonly string[],
  readText: (file: string) => Promise<string | null>,
): Promise<FoundFile> => {
  const from = chain.at(-1) ?? ''
  const place = placeOf(host, from)
  const src = attributeOf(host, 'data-composition-src') ?? ''
  const tried = [...new Set(nestedCandidates(from, src))]
  for (const file of tried) {
    const text = await readText(file)
    if (text === null) continue
    const longer = [...chain, file]
    if (chain.includes(file)) throw fail('VID_NESTED_CYCLE', { ...place, chain: longer })
    if (chain.length > MAX_DEPTH) throw fail('VID_NESTED_TOO_DEEP', { ...place, max: MAX_DEPTH, chain: longer })
    const nested = readNestedFile(text)
    if (isEmptyFile(nested)) throw fail('VID_NESTED_EMPTY', { ...place, src })
    return { file, nested, chain: longer }
  }
  throw fail('VID_NESTED_MISSING', { ...place, src, tried })
}
