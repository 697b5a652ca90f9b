import { attributeOf, fitsSelectors, labelOf, readNumber } from '@vid/core/source-model'
import { type GsapCall, type Registration, readGsapCalls, readRegistrations } from '../follow/gsap-calls.ts'
import { scriptsOf } from '../follow/script-source.ts'
import type { OperationOf } from '../operations/operation.ts'
import { type SourceClip, secondsText } from '../source/clips.ts'
import { lineAt, lineEndOf } from '../source/source-text.ts'
import { type PlanContext, refuse, requireClip } from './context.ts'
import { requirePlayed } from './media.ts'
import { addAttribute, addEdit, emptyPlan, type Plan } from './plan.ts'

/** The properties of a tween that is a fade and nothing else. */
const FADES = new Set(['volume', 'duration', 'ease'])

const volumeCalls = ({ sources }: PlanContext, { file, element }: SourceClip): readonly GsapCall[] =>
  scriptsOf(sources, file)
    .flatMap(readGsapCalls)
    .filter(
      ({ properties, selectors }) =>
        properties.includes('volume') && selectors?.some((selector) => fitsSelectors(selector, element) === true),
    )

/** Where the tweens of a fade are written: before the timeline of the clip's composition is registered. */
const findRegistration = ({ sources }: PlanContext, { file, scope, element }: SourceClip): Registration => {
  const registrations = scriptsOf(sources, file)
    .flatMap(readRegistrations)
    .filter(({ source, composition }) => source.holder !== null && composition === scope.id)
  const [first] = registrations
  if (first) return first
  throw refuse(
    'fade',
    labelOf(element),
    `${file.file} registers no GSAP timeline for its composition, in which the volume could be animated`,
    'Make one: const timeline = gsap.timeline({ paused: true }), and window.__timelines["<composition id>"] = timeline.',
  )
}

/** Removes a statement with the line that it leaves empty. */
const removeStatement = (plan: Plan, html: string, { source, statement, line }: GsapCall): void => {
  if (!statement) return
  const before = /(?:\r?\n)?[^\S\r\n]*$/.exec(html.slice(0, statement.start))?.[0].length ?? 0
  const isLast = /^[^\S\r\n]*(?:\r?\n|$)/.test(html.slice(statement.end))
  const { file } = source.script
  addEdit(plan, file, {
    kind: 'raw',
    element: source.holder,
    start: isLast ? statement.start - before : statement.start,
    end: statement.end,
    text: '',
  })
  plan.changes.push({ file, line, text: 'The fade that stood here is replaced.' })
}

/** The id by which a script finds an element; one without gets one. */
const idFor = (plan: Plan, { sources }: PlanContext, clip: SourceClip): string => {
  const id = attributeOf(clip.element, 'id')
  if (id) return id
  const taken = new Set(sources.project.files.flatMap(({ elements }) => elements.flatMap((element) => attributeOf(element, 'id') ?? [])))
  for (let number = 1; ; number += 1) {
    const name = `sound${number === 1 ? '' : `-${number}`}`
    if (taken.has(name)) continue
    addAttribute(plan, 'follows', clip, ['id', name], `${labelOf(clip.element)} gets the id "${name}", by which the script finds it.`)
    return name
  }
}

/** Plans `fade`. */
export const planFade = (operation: OperationOf<'fade'>, context: PlanContext): Plan => {
  const plan = emptyPlan()
  requirePlayed(context, 'fade', operation)
  const clip = requireClip(context, 'fade', operation.target)
  const { element, start, end } = clip
  const name = labelOf(element)
  const inSeconds = operation.in ?? 0
  const outSeconds = operation.out ?? 0
  if (start === null || (outSeconds > 0 && end === null))
    throw refuse('fade', name, 'only the page knows when it is heard', 'Give it a data-duration.')
  if (end !== null && inSeconds + outSeconds > end - start + 1e-9)
    throw refuse('fade', name, `its fades are longer than its ${secondsText(end - start)} s`, 'Choose shorter fades.')
  const calls = volumeCalls(context, clip)
  const other = calls.find(
    ({ statement, properties, selectors, source }) =>
      statement === null || source.holder === null || selectors?.length !== 1 || properties.some((property) => !FADES.has(property)),
  )
  if (other)
    throw refuse('fade', name, `${other.source.script.file}:${other.line} animates its volume`, 'Change the animation there.')
  const registration = findRegistration(context, clip)
  const html = context.sources.textOf(clip.file.file) ?? ''
  for (const call of calls) removeStatement(plan, html, call)
  if (inSeconds === 0 && outSeconds === 0) return plan
  const selector = `'#${idFor(plan, context, clip)}'`
  const volume = secondsText(readNumber(attributeOf(element, 'data-volume')) ?? 1)
  const { timeline } = registration
  const statements = [
    ...(inSeconds > 0
      ? [`${timeline}.fromTo(${selector}, { volume: 0 }, { volume: ${volume}, duration: ${secondsText(inSeconds)}, ease: 'none' }, ${secondsText(start)})`]
      : []),
    ...(outSeconds > 0
      ? [`${timeline}.to(${selector}, { volume: 0, duration: ${secondsText(outSeconds)}, ease: 'none' }, ${secondsText((end ?? 0) - outSeconds)})`]
      : []),
  ]
  const indent = /[^\S\r\n]*$/.exec(html.slice(0, registration.start))?.[0] ?? ''
  // The rest of the script may be written without semicolons, or with them.
  const mark = /;\s*(?:\r?\n|$)/.test(registration.source.text) ? ';' : ''
  addEdit(plan, clip.file.file, {
    kind: 'raw',
    element: registration.source.holder,
    start: registration.start,
    end: registration.start,
    text: statements.map((statement) => `${statement}${mark}${lineEndOf(html)}${indent}`).join(''),
  })
  const parts = [inSeconds > 0 ? `in for ${secondsText(inSeconds)} s` : '', outSeconds > 0 ? `out for ${secondsText(outSeconds)} s` : '']
  plan.changes.push({
    file: clip.file.file,
    line: lineAt(html, registration.start),
    text: `${name} fades ${parts.filter((part) => part !== '').join(' and ')}.`,
  })
  return plan
}
