import type { ElementAddress } from '../inspect/inspect.ts'
import { readTree } from '../source/source-tree.ts'
import type { Sources } from '../source/sources.ts'
import type { FollowOffset } from '../staging/addresses.ts'
import type { Step } from '../staging/stage.ts'

/** A file at one time. */
interface Version {
  readonly digest: string
  readonly text: string
}

/** One change of a file. */
interface Passage {
  readonly file: string
  readonly before: Version
  readonly after: Version
  readonly follow: FollowOffset
}

/** A page as some sources have it; undefined for a file that is none. */
const versionOf = (sources: Sources, file: string): Version | undefined => {
  const text = sources.htmlFile(file) && sources.textOf(file)
  const digest = sources.digestOf(file)
  return text === undefined || digest === undefined ? undefined : { digest, text }
}

/** Characters of the texts that are remembered: addresses are asked for soon after the changes that they are before. */
const MAX_CHARACTERS = 20_000_000

/** A change made, or taken back. */
interface Stride {
  readonly passage: Passage
  readonly isBack: boolean
}

/** The fewest changes between two versions of a file. */
const wayBetween = (passages: readonly Passage[], from: string, to: string): readonly Stride[] | undefined => {
  const ways = new Map<string, readonly Stride[]>([[from, []]])
  for (const [version, way] of ways) {
    if (version === to) return way
    for (const passage of passages) {
      const { before, after } = passage
      if (before.digest === version && !ways.has(after.digest))
        ways.set(after.digest, [...way, { passage, isBack: false }])
      if (after.digest === version && !ways.has(before.digest))
        ways.set(before.digest, [...way, { passage, isBack: true }])
    }
  }
  return undefined
}

const stride = ({ passage: { before, follow }, isBack }: Stride, offset: number): number | undefined =>
  isBack ? [...readTree(before.text).byStart.keys()].find((start) => follow(start) === offset) : follow(offset)

const startOf = (way: readonly Stride[], path: string): number | undefined => {
  const [first] = way
  if (!first) return undefined
  const { before, after } = first.passage
  return readTree((first.isBack ? after : before).text).byPath.get(path)?.sourceCodeLocation?.startOffset
}

/** Follows the elements of a session through what is staged and taken back. */
export const createFollower = () => {
  let passages: readonly Passage[] = []

  const keepWithin = (list: readonly Passage[]): readonly Passage[] => {
    let characters = 0
    const first = list.findLastIndex(({ before, after }) => {
      characters += before.text.length + after.text.length
      return characters > MAX_CHARACTERS
    })
    return list.slice(first + 1)
  }
  return {
    /** Remembers a step between two states of the sources. */
    add(before: Sources, after: Sources, { moved }: Step): void {
      const fresh = [...moved].flatMap(([file, follow]): Passage[] => {
        const [from, to] = [versionOf(before, file), versionOf(after, file)]
        return from && to ? [{ file, before: from, after: to, follow }] : []
      })
      passages = keepWithin([...passages, ...fresh])
    },
    /** The address of an element in some sources; the address itself where the way to it is not known. */
    follow(sources: Sources, address: ElementAddress): ElementAddress {
      const { file, path, digest } = address
      const page = sources.htmlFile(file)
      const now = sources.digestOf(file)
      if (!page || now === undefined || now === digest) return address
      const way = wayBetween(
        passages.filter((passage) => passage.file === file),
        digest,
        now,
      )
      const offset = way?.reduce<number | undefined>(
        (place, next) => (place === undefined ? undefined : stride(next, place)),
        startOf(way, path),
      )
      const tree = sources.treeOf(page)
      const element = offset === undefined ? undefined : tree.byStart.get(offset)
      const pathNow = element && tree.paths.get(element)
      return pathNow === undefined ? address : { file, path: pathNow, digest: now }
    },
  }
}
