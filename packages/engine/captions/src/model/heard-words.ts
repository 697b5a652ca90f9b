import { isWithoutSpaces } from './scripts.ts'

/** A word as speech programs list it; without times where the program has found none, as for many numbers. */
export interface HeardWord {
  readonly text: string
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly speaker?: string | undefined
  /** What stands before it; left out to follow its script. */
  readonly separator?: string | undefined
}

/** A word with its time. */
export interface SpokenWord extends HeardWord {
  readonly start: number
  readonly end: number
}

const isTimed = (word: HeardWord): word is SpokenWord => word.start !== undefined && word.end !== undefined

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6

/** Gives words the time between two seconds, each as much as its length takes. */
const shareTime = (words: readonly HeardWord[], start: number, end: number): SpokenWord[] => {
  const total = words.reduce((sum, { text }) => sum + text.length, 0)
  let before = 0
  return words.map((word) => {
    const from = start + ((end - start) * before) / total
    before += word.text.length
    return { ...word, start: rounded(from), end: rounded(start + ((end - start) * before) / total) }
  })
}

/** A run of words without times after a word, until the next one with a time. */
const fillRun = (
  run: readonly HeardWord[],
  before: SpokenWord | undefined,
  { start, end }: { readonly start: number; readonly end: number },
): SpokenWord[] => {
  const spoken = run.map((word) => ({ ...word, speaker: word.speaker ?? before?.speaker }))
  if (end > start || !before) return [...(before ? [before] : []), ...shareTime(spoken, start, Math.max(start, end))]
  // No time is left between its neighbours: they share that of the word before.
  return shareTime([before, ...spoken], before.start, before.end)
}

/** Gives the words without a time that of their neighbours, within the time of their passage. */
export const withTimes = (
  words: readonly HeardWord[],
  passage: { readonly start: number; readonly end: number },
): SpokenWord[] => {
  const timed: SpokenWord[] = []
  let run: HeardWord[] = []
  const close = (next: SpokenWord | undefined) => {
    if (run.length === 0) return
    const before = timed.pop()
    const start = before?.end ?? Math.min(passage.start, next?.start ?? passage.start)
    timed.push(...fillRun(run, before, { start, end: next?.start ?? passage.end }))
    run = []
  }
  for (const word of words) {
    if (!isTimed(word)) {
      run.push(word)
      continue
    }
    close(word)
    timed.push(word)
  }
  close(undefined)
  return timed
}

const isOneWord = (before: string | undefined, after: string | undefined): boolean => {
  const isPart = (character: string) => /[\p{L}\p{N}]/u.test(character)
  return before !== undefined && after !== undefined && isPart(before) && isPart(after) && !isWithoutSpaces(before)
}

/** Characters within which a word is looked for: what is farther away is another one. */
const REACH = 2000

/** Where a word stands in a text from an offset on, and is no part of a longer one; below 0 for nowhere. */
const findWord = (text: string, word: string, offset: number): number => {
  const near = text.slice(offset, offset + REACH)
  const [first, last] = [[...word][0], [...word].at(-1)]
  for (let index = near.indexOf(word); index >= 0; index = near.indexOf(word, index + 1)) {
    const isNext = near.slice(0, index).trim() === ''
    const before = [...near.slice(Math.max(0, index - 2), index)].at(-1)
    const after = [...near.slice(index + word.length, index + word.length + 2)][0]
    if (isNext || (!isOneWord(before, first) && !isOneWord(last, after))) return offset + index
  }
  return -1
}

/** What stands between two words of a text: what touches the one or the other is theirs, the rest are words. */
const splitGap = (gap: string, isLast: boolean) => {
  const first = gap.search(/\s/)
  const isSpaced = first >= 0
  const tail = isSpaced ? gap.slice(0, first) : gap
  const head = isSpaced ? (gap.split(/\s/).at(-1) ?? '') : ''
  const middle = isSpaced ? gap.slice(first, gap.length - head.length) : ''
  const isTail = isLast || isSpaced
  return {
    tail: isTail ? tail : gap,
    words: middle.split(/\s+/).filter((word) => word !== ''),
    head: isTail ? head : '',
    hasSpace: isSpaced,
  }
}

/**
 * The words of a passage as its text has them: all of the text, with the times and speakers of the words that are found
 * in it.
 */
export const wordsOfText = (text: string, heard: readonly HeardWord[]): HeardWord[] => {
  const words: HeardWord[] = []
  let offset = 0
  let isSpaced = false
  const add = (word: HeardWord) => {
    words.push({ ...word, separator: words.length === 0 || !isSpaced ? '' : ' ' })
  }
  const addGap = (gap: string, isLast: boolean): string => {
    const { tail, words: between, head, hasSpace } = splitGap(gap, isLast)
    const before = words.at(-1)
    if (before && tail !== '') words[words.length - 1] = { ...before, text: before.text + tail }
    else if (tail !== '') {
      if (!hasSpace) return tail
      add({ text: tail })
    }
    isSpaced = true
    for (const word of between) add({ text: word })
    isSpaced = hasSpace
    return head
  }
  for (const word of heard) {
    const written = word.text.trim()
    const index = written === '' ? -1 : findWord(text, written, offset)
    if (index < 0) continue
    const head = addGap(text.slice(offset, index), false)
    add({ ...word, text: head + written })
    offset = index + written.length
  }
  const head = addGap(text.slice(offset), true)
  if (head !== '') add({ text: head })
  return words
}
