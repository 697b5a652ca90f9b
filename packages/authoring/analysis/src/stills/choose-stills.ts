import { readTime, secondsOf } from '@vid/protocol'
import { type CompositionSettings, type OpenComposition, type Renderer, spreadStills, stillsAt } from '@vid/render'
import type { PageOutline } from '@vid/runtime'
import { type FoundStates, findStates } from '../states/find-states.ts'
import { shortSeconds } from '../timeline/chart.ts'

/** Which stills a sheet shows. */
export type StillChoice =
  | { readonly kind: 'spread'; readonly count: number }
  | { readonly kind: 'every'; readonly every: string }
  | { readonly kind: 'at'; readonly at: string }
  | { readonly kind: 'changes' }
  | { readonly kind: 'per-clip' }

/** A frame of a sheet. */
export interface ChosenStill {
  readonly frame: number
  /** Why it is shown, in words; empty where its time was asked for. */
  readonly note: string
}

/** Most stills of one sheet, or of one of its rows. */
export const MAX_STILLS = 200

/** A time with at most two decimals, and its unit. */
export const timeWithUnit = (seconds: number): string => `${shortSeconds(seconds)} s`

const causeText = ({ cause, what }: FoundStates['moments'][number]['causes'][number]) =>
  cause === 'picture' ? 'new picture' : `${cause.replace('-', ' ')}${what === undefined ? '' : ` ${what}`}`

/** One still for each distinct state, and why it is one. */
export const stillsOfStates = (
  { states, moments }: FoundStates,
  { fps }: Pick<OpenComposition['plan'], 'fps'>,
): ChosenStill[] =>
  states
    .filter(({ sameAs }) => sameAs === undefined)
    .map(({ start, end, isMoving, frame }) => {
      const range = `${timeWithUnit(secondsOf(start, fps))} to ${timeWithUnit(secondsOf(end, fps))}`
      const causes = moments.filter((moment) => moment.frame >= start && moment.frame < Math.max(start + 1, end))
      const first = causes[0]?.causes.map(causeText) ?? []
      return { frame, note: [`${isMoving ? 'moves' : 'stands'} ${range}`, ...first].join(', ') }
    })

/** The middle frame of each clip, in order of time. */
export const stillsOfClips = (
  clips: PageOutline['clips'],
  { frames, fps, duration }: OpenComposition['plan'],
): ChosenStill[] => {
  const all = (list: PageOutline['clips']): PageOutline['clips'] => list.flatMap((clip) => [clip, ...all(clip.clips)])
  return all(clips)
    .filter(({ kind, start }) => kind !== 'audio' && start < duration)
    .map(({ name, start, end }) => {
      const until = Math.min(end ?? duration, duration)
      const frame = Math.min(
        frames - 1,
        Math.floor(readTime(`${((start + until) / 2).toFixed(6)}s`, { fps, duration })),
      )
      return { frame, note: `clip ${name}, ${timeWithUnit(start)} to ${timeWithUnit(until)}` }
    })
    .sort((one, other) => one.frame - other.frame)
}

/** The stills of a choice that the length alone decides. */
export const stillsByTime = (
  choice: Extract<StillChoice, { readonly kind: 'spread' | 'every' | 'at' }>,
  plan: OpenComposition['plan'],
): ChosenStill[] => {
  if (choice.kind === 'spread') {
    const count = Math.min(choice.count, plan.frames)
    return spreadStills(count, plan).map(({ frame }) => ({ frame, note: '' }))
  }
  if (choice.kind === 'at') return stillsAt(choice.at, plan).map(({ frame }) => ({ frame, note: '' }))
  const step = readTime(/^[\d.]+$/.test(choice.every) ? `${choice.every}s` : choice.every, plan)
  const stills: ChosenStill[] = []
  for (let position = 0; position < plan.frames; position += Math.max(1, step))
    stills.push({ frame: Math.floor(position + 1e-6), note: '' })
  return stills
}

/** The states of a composition, for a choice that needs them: found before its stills are taken. */
export const statesFor = async (
  renderer: Renderer,
  choice: StillChoice,
  settings: CompositionSettings,
  signal: AbortSignal,
): Promise<FoundStates | undefined> =>
  choice.kind === 'changes' ? findStates(renderer, settings, { signal }) : undefined
