import type { VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Clip } from '../source/clips.ts'
import { parseStart } from './start-expression.ts'

/** Time range of a clip in seconds of its own composition; null where only the page knows. */
export interface ClipWindow {
  readonly clip: Clip
  readonly start: number | null
  readonly end: number | null
}

const endOf = (clip: Clip, start: number | null): number | null => {
  if (clip.duration !== null) return start === null ? null : start + clip.duration
  return clip.end
}

/** A start that refers to an unknown name, or that depends on itself. */
export interface StartProblem {
  readonly clip: Clip
  readonly reason: 'cycle' | 'unknown'
  /** Names that the clip may refer to, the first of many. */
  readonly names: readonly string[]
}

/** As many names as a message can hold. */
const MAX_KNOWN = 20

const namesOfOthers = (byName: ReadonlyMap<string, Clip>, clip: Clip): string[] => {
  const names: string[] = []
  for (const [name, named] of byName) {
    if (names.length === MAX_KNOWN) break
    if (named !== clip) names.push(name)
  }
  return names
}

/** Time ranges of one composition's clips, and all starts that cannot be resolved. */
export const readStarts = (
  clips: readonly Clip[],
): { readonly windows: readonly ClipWindow[]; readonly problems: readonly StartProblem[] } => {
  const byName = new Map<string, Clip>()
  for (const clip of clips) for (const name of clip.names) if (!byName.has(name)) byName.set(name, clip)
  const windows = new Map<Clip, ClipWindow>()
  const problems: StartProblem[] = []
  const open = new Set<Clip>()

  const targetOf = (clip: Clip): Clip | undefined => {
    const parsed = parseStart(clip.start, (name) => byName.has(name))
    return 'seconds' in parsed ? undefined : byName.get(parsed.after)
  }
  /** The clip, and those that it follows one after the other, as far as they are not resolved yet. */
  const followedBy = (clip: Clip): Clip[] => {
    const chain: Clip[] = []
    for (let next: Clip | undefined = clip; next && !windows.has(next) && !open.has(next); ) {
      chain.push(next)
      open.add(next)
      next = targetOf(next)
    }
    return chain
  }
  const startOf = (clip: Clip): number | null => {
    const parsed = parseStart(clip.start, (name) => byName.has(name))
    if ('seconds' in parsed) return parsed.seconds
    const target = byName.get(parsed.after)
    if (target === undefined || open.has(target)) {
      const reason = target === undefined ? 'unknown' : 'cycle'
      problems.push({ clip, reason, names: namesOfOthers(byName, clip) })
      return null
    }
    const end = windows.get(target)?.end ?? null
    return end === null ? null : Math.max(0, end + parsed.offset)
  }
  const resolve = (clip: Clip): ClipWindow => {
    // Not by recursion: a chain may be as long as the document.
    for (const follower of followedBy(clip).reverse()) {
      const start = startOf(follower)
      open.delete(follower)
      windows.set(follower, { clip: follower, start, end: endOf(follower, start) })
    }
    return windows.get(clip) ?? { clip, start: null, end: null }
  }
  return { windows: clips.map(resolve), problems }
}

/** The coded error for a start that cannot be resolved. */
export const startError = ({ clip, reason, names }: StartProblem, file: string): VidError => {
  const { element, line, start: value } = clip
  return fail('VID_COMPOSITION_BAD_START', { element, file, line, value, reason, known: names })
}

/** Resolves the starts of one composition's clips; an unknown name or a cycle is VID_COMPOSITION_BAD_START. */
export const resolveStarts = (clips: readonly Clip[], file: string): readonly ClipWindow[] => {
  const { windows, problems } = readStarts(clips)
  const [first] = problems
  if (first !== undefined) throw startError(first, file)
  return windows
}
