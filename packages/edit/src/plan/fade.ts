import { attributeOf, fitsSelectors, labelOf, lineOf, readNumber } from '@vid/core/source-model'
import { type GsapCall, type Registration, readGsapCalls, readRegistrations } from '../follow/gsap-calls.ts'
import { scriptsOf } from '../follow/script-source.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addEdit, emptyPlan, type Plan } from '../patch/plan.ts'
import { insideOf } from '../patch/text-edit.ts'
import { type SourceClip, secondsText } from '../source/clips.ts'
import { lineAt, lineEndOf } from '../source/source-text.ts'
import { type PlanContext, refuse, requireClip } from './context.ts'
import { requirePlayed } from './media.ts'

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
const findRegistration = ({ sources }: PlanContext, { file, scope }: SourceClip): Registration | undefined =>
  scriptsOf(sources, file)
    .flatMap(readRegistrations)
    .find(({ source, composition }) => source.holder !== null && composition === scope.id)

const GSAP = 'https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js'

/** Adds a timeline that holds statements to a composition without one. */
const addTimeline = (
  plan: Plan,
  { sources }: PlanContext,
  { file, scope, element }: SourceClip,
  statements: readonly string[],
): void => {
  const { holder, id } = scope
  const isTaken = file.scripts.some(({ facts }) => facts.text.includes('__timelines'))
  if (isTaken || !id || !file.hasAllScripts)
    throw refuse(
      'fade',
      labelOf(element),
      isTaken
        ? `the timeline of its composition in ${file.file} is not one that a tween can be added to`
        : `nothing says where the timeline of its composition in ${file.file} is`,
      'Write a GSAP timeline: const timeline = gsap.timeline({ paused: true }), and window.__timelines["<composition id>"] = timeline.',
    )
  const html = sources.textOf(file.file) ?? ''
  const hasGsap = file.elements.some(
    ({ tagName, attrs }) =>
      tagName === 'script' && attrs.some(({ name, value }) => name === 'src' && /gsap/i.test(value)),
  )
  const lines = [
    ...(hasGsap ? [] : [`<script src="${GSAP}"></script>`]),
    '<script>',
    '  const fades = gsap.timeline({ paused: true })',
    ...statements.map((statement) => `  ${statement}`),
    '  window.__timelines = window.__timelines || {}',
    `  window.__timelines[${JSON.stringify(id).replaceAll('<', '\\u003c')}] = fades`,
    '</script>',
  ]
  // The end tag of the composition keeps its place in a line of its own.
  const indent = /(?:^|\n)([^\S\r\n]*)$/.exec(html.slice(0, insideOf(holder)?.end))?.[1] ?? ''
  const lineEnd = `${lineEndOf(html)}${indent}`
  const markup = `  ${lines.join(`${lineEnd}  `)}${lineEnd}`
  addEdit(plan, file.file, { kind: 'insert', element: holder, side: 'end', markup })
  plan.follows.push({
    file: file.file,
    line: lineOf(holder),
    text: `A GSAP timeline is added to ${labelOf(holder)}, which had none.`,
  })
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

/** Writes statements before the one that registers a timeline. */
const insertStatements = (
  plan: Plan,
  html: string,
  { file }: SourceClip,
  { source, start }: Registration,
  statements: readonly string[],
): void => {
  const indent = /[^\S\r\n]*$/.exec(html.slice(0, start))?.[0] ?? ''
  // The rest of the script may be written without semicolons, or with them.
  const mark = /;\s*(?:\r?\n|$)/.test(source.text) ? ';' : ''
  const text = statements.map((statement) => `${statement}${mark}${lineEndOf(html)}${indent}`).join('')
  addEdit(plan, file.file, { kind: 'raw', element: source.holder, start, end: start, text })
}

/** The id by which a script finds an element; one without gets one. */
const idFor = (plan: Plan, { sources }: PlanContext, clip: SourceClip): string => {
  const id = attributeOf(clip.element, 'id')
  if (id) return id
  const taken = new Set(
    sources.project.files.flatMap(({ elements }) => elements.flatMap((element) => attributeOf(element, 'id') ?? [])),
  )
  for (let number = 1; ; number += 1) {
    const name = `sound${number === 1 ? '' : `-${number}`}`
    if (taken.has(name)) continue
    addAttribute(
      plan,
      'follows',
      clip,
      ['id', name],
      `${labelOf(clip.element)} gets the id "${name}", by which the script finds it.`,
    )
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
      statement === null ||
      source.holder === null ||
      selectors?.length !== 1 ||
      properties.some((property) => !FADES.has(property)),
  )
  if (other)
    throw refuse(
      'fade',
      name,
      `${other.source.script.file}:${other.line} animates its volume`,
      'Change the animation there.',
    )
  const html = context.sources.textOf(clip.file.file) ?? ''
  for (const call of calls) removeStatement(plan, html, call)
  if (inSeconds === 0 && outSeconds === 0) return plan
  const registration = findRegistration(context, clip)
  const selector = `'#${idFor(plan, context, clip)}'`
  const volume = secondsText(readNumber(attributeOf(element, 'data-volume')) ?? 1)
  const timeline = registration?.timeline ?? 'fades'
  const louder = `${timeline}.fromTo(${selector}, { volume: 0 }, { volume: ${volume}, duration: ${secondsText(inSeconds)}, ease: 'none' }, ${secondsText(start)})`
  const quieter = `${timeline}.to(${selector}, { volume: 0, duration: ${secondsText(outSeconds)}, ease: 'none' }, ${secondsText((end ?? 0) - outSeconds)})`
  const statements = [...(inSeconds > 0 ? [louder] : []), ...(outSeconds > 0 ? [quieter] : [])]
  if (registration) insertStatements(plan, html, clip, registration, statements)
  else addTimeline(plan, context, clip, statements)
  const parts = [
    inSeconds > 0 ? `in for ${secondsText(inSeconds)} s` : '',
    outSeconds > 0 ? `out for ${secondsText(outSeconds)} s` : '',
  ]
  plan.changes.push({
    file: clip.file.file,
    line: registration ? lineAt(html, registration.start) : lineOf(element),
    text: `${name} fades ${parts.filter((part) => part !== '').join(' and ')}.`,
  })
  return plan
}
