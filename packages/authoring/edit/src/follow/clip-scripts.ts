import { attributeOf, type Element, fitsSelectors, labelOf } from '@vid/core/source-model'
import { addEdit, addNote, type Plan } from '../patch/plan.ts'
import { type SourceClip, secondsText } from '../source/clips.ts'
import { withDescendants } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { type GsapCall, readGsapCalls, TWEENS } from './gsap-calls.ts'
import { scriptsOf } from './script-source.ts'

/** Whether what a call animates stands inside an element: all of it, none, some, or who knows. */
type Share = 'inside' | 'outside' | 'mixed' | 'unknown'

const shareOf = ({ selectors, source }: GsapCall, inside: ReadonlySet<Element>): Share => {
  if (selectors === null) return 'unknown'
  let within = 0
  let total = 0
  for (const element of source.page.elements) {
    const fits = selectors.map((selector) => fitsSelectors(selector, element))
    if (fits.includes(true)) {
      total += 1
      if (inside.has(element)) within += 1
    } else if (fits.includes(null) && inside.has(element)) return 'unknown'
  }
  if (within === 0) return 'outside'
  return within === total ? 'inside' : 'mixed'
}

/** A call of GSAP, and how much of what it animates stands inside an element. */
export interface SharedCall {
  readonly call: GsapCall
  readonly share: Share
}

/** Compositions whose own time begins with the clip: a timeline of theirs needs no change. */
const compositionsInside = (inside: ReadonlySet<Element>): ReadonlySet<string> =>
  new Set([...inside].flatMap((element) => attributeOf(element, 'data-composition-id') ?? []))

/** The calls of GSAP in the scripts of a clip's file, but for those in the time of compositions inside of it. */
export const callsAround = (sources: Sources, { file, element, scope }: SourceClip): readonly SharedCall[] => {
  const inside = new Set(withDescendants(element))
  const nested = compositionsInside(inside)
  return scriptsOf(sources, file)
    .flatMap(readGsapCalls)
    .filter(({ composition }) => composition === null || composition === scope.id || !nested.has(composition))
    .map((call) => ({ call, share: TWEENS.has(call.method) ? shareOf(call, inside) : 'outside' }))
}

const namesOf = ({ selectors }: GsapCall): string =>
  selectors === null ? 'elements that only its script knows' : selectors.join(', ')

/** Moves the literal number of a call's position. */
const shift = (plan: Plan, call: GsapCall, deltaSeconds: number, element: string): boolean => {
  const { position, source, line } = call
  if (position.kind !== 'number' || position.value + deltaSeconds < -1e-9) return false
  const { file } = source.script
  const after = secondsText(position.value + deltaSeconds)
  addEdit(plan, file, { kind: 'raw', element: source.holder, start: position.start, end: position.end, text: after })
  plan.follows.push({
    file,
    line,
    text: `The animation of ${call.selectors === null ? element : namesOf(call)} moves from ${secondsText(position.value)} to ${after}.`,
  })
  return true
}

/** Lets the fades at an edge of a clip move with the edge. */
export const moveFades = (
  plan: Plan,
  sources: Sources,
  clip: SourceClip,
  { edge, at, deltaSeconds }: { readonly edge: 'start' | 'end'; readonly at: number; readonly deltaSeconds: number },
): void => {
  for (const { call, share } of callsAround(sources, clip)) {
    const { position, durationSeconds } = call
    if (share !== 'inside' || !call.properties.includes('volume') || position.kind !== 'number') continue
    const time = edge === 'start' ? position.value : position.value + (durationSeconds ?? 0)
    if (Math.abs(time - at) < 1e-6) shift(plan, call, deltaSeconds, labelOf(clip.element))
  }
}

/** The timelines that are about a clip as a whole and stand in another at a number, which moves instead of their parts. */
const wholeTimelines = (calls: readonly SharedCall[]): ReadonlyMap<string, GsapCall> => {
  const wholes = new Map<string, GsapCall>()
  for (const { call } of calls) {
    if (call.added === null || call.position.kind !== 'number') continue
    const parts = calls.filter((other) => other.call.timeline === call.added && TWEENS.has(other.call.method))
    if (parts.length > 0 && parts.every(({ share }) => share === 'inside')) wholes.set(call.added, call)
  }
  return wholes
}

const whereText = ({ position }: GsapCall): string => {
  if (position.kind === 'none') return 'at the end of what its timeline holds'
  if (position.kind === 'text') return `at "${position.text}"`
  return 'at a time that its script computes'
}

const isBeforeTimeline = ({ method, timeline, position }: GsapCall) =>
  method === 'set' && timeline === null && position.kind === 'none'

/** Says of the calls after a moved one which begin where the timeline ends. */
const noteLater = (plan: Plan, calls: readonly SharedCall[], moved: ReadonlySet<GsapCall>): void => {
  for (const [index, { call }] of calls.entries()) {
    const { timeline, position } = call
    const isRelative = position.kind === 'none' || (position.kind === 'text' && /^[+\-<>]/.test(position.text))
    if (timeline === null || moved.has(call) || !isRelative) continue
    const isAfter = calls.slice(0, index).some((before) => before.call.timeline === timeline && moved.has(before.call))
    if (isAfter)
      addNote(plan, {
        kind: 'unfollowed',
        file: call.source.script.file,
        line: call.line,
        text: `The animation of ${namesOf(call)} begins ${whereText(call)}, which may move.`,
      })
  }
}

/** Lets the animations of a clip by GSAP move with it, and says which could not. */
export const moveScripts = (plan: Plan, sources: Sources, clip: SourceClip, deltaSeconds: number): void => {
  const calls = callsAround(sources, clip)
  const wholes = wholeTimelines(calls)
  const label = labelOf(clip.element)
  const moved = new Set<GsapCall>()
  for (const { call, share } of calls) {
    const { file } = call.source.script
    if (call.added !== null && wholes.get(call.added) === call) {
      if (shift(plan, call, deltaSeconds, label)) moved.add(call)
      continue
    }
    if (share === 'outside' || isBeforeTimeline(call)) continue
    if (call.timeline !== null && wholes.has(call.timeline)) continue
    if (share === 'inside' && shift(plan, call, deltaSeconds, label)) {
      moved.add(call)
      continue
    }
    const subject = `The animation of ${namesOf(call)}`
    const others = share === 'mixed' ? ', which is also of elements outside of the clip,' : ''
    const time = call.position.kind === 'number' ? `at ${secondsText(call.position.value)}` : whereText(call)
    addNote(plan, { kind: 'unfollowed', file, line: call.line, text: `${subject}${others} stays ${time}.` })
  }
  noteLater(plan, calls, moved)
}

/** Says which animations by GSAP are of a clip, or may be, where an operation leaves them as they are. */
export const noteScripts = (plan: Plan, sources: Sources, clip: SourceClip, text: (names: string) => string): void => {
  for (const { call, share } of callsAround(sources, clip)) {
    if (share === 'outside') continue
    addNote(plan, { kind: 'unfollowed', file: call.source.script.file, line: call.line, text: text(namesOf(call)) })
  }
}
