import { blame, type CheckSpot, type CompositionElement, type CompositionFacts, type PluginOf } from '@vid/kernel'
import { fail } from '../errors.ts'
import type { CheckFinding } from '../events.ts'
import type { SeenComposition } from '../facts/read-facts.ts'
import { groupBy } from '../group-by.ts'
import type { ChosenRule } from '../rules/choose-rules.ts'

/** A finding, and whether the page ignores it. */
export interface FoundFinding {
  readonly finding: CheckFinding
  readonly isIgnored: boolean
}

type MendTarget = NonNullable<CheckFinding['mend']>[number]['target']

/** Seconds between findings of one kind that are joined. */
const GAP = 0.5

const problemOf = (spot: CheckSpot, { frames, elements }: CompositionFacts): string | undefined => {
  if (!Array.isArray(spot?.frames)) return 'it has no frames'
  if (typeof spot.message !== 'string') return 'it has no message'
  const { element } = spot
  const [start, end] = spot.frames
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start && end <= frames))
    return `it has frames ${start} to ${end} of ${frames}`
  if (element !== undefined && element !== null && !elements[element]) return `it has no element ${element}`
  return undefined
}

/** What a check finds, which may be code of others. */
const spotsOf = (plugin: PluginOf<'check'>, facts: CompositionFacts): readonly CheckSpot[] => {
  try {
    return [...plugin.check(facts, plugin.options)]
  } catch (thrown) {
    throw blame(thrown, plugin.name, 'check')
  }
}

/** Joins spots of one rule on one element that follow each other: the longest says what is wrong. */
const joinSpots = (spots: readonly CheckSpot[], facts: CompositionFacts): CheckSpot[] => {
  const { fps } = facts
  const blocks = new Map(facts.texts.map(({ element, block }) => [element, block]))
  const byElement = groupBy(spots, ({ element, file, line, message }) =>
    element === undefined || element === null
      ? `${file}:${line} ${message.replace(/[\d.]+/g, '#')}`
      : String(blocks.get(element) ?? element),
  )
  return [...byElement].flatMap(([key, group]) => {
    const parts = new Set(group.map(({ element }) => element))
    const joined: CheckSpot[] = []
    for (const spot of [...group].sort((one, other) => one.frames[0] - other.frames[0])) {
      const last = joined.at(-1)
      if (!last || spot.frames[0] - last.frames[1] > GAP * fps) {
        joined.push(spot)
        continue
      }
      const isLonger = spot.frames[1] - spot.frames[0] > last.frames[1] - last.frames[0]
      const frames = [last.frames[0], Math.max(last.frames[1], spot.frames[1])] as const
      joined[joined.length - 1] = { ...(isLonger ? spot : last), frames }
    }
    // The letters of a title are one finding about the title.
    return parts.size < 2
      ? joined
      : joined.map((spot) => ({
          ...spot,
          element: Number(key),
          message: `${spot.message} It is one of ${parts.size} such parts of its text.`,
          // An operation would mend one part of many.
          mend: [],
        }))
  })
}

const rulesIn = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/** Whether an element, or the root for what belongs to none, ignores a rule and says why. */
const ignoreOf = ({ elements, root }: SeenComposition, rule: string, element: number | null | undefined) => {
  const position = element ?? root
  const ignores = position === null ? [] : (elements[position]?.ignores ?? [])
  const fits = ignores.filter(({ rules }) => rulesIn(rules).includes(rule))
  return {
    isIgnored: fits.some(({ reason }) => reason.trim() !== ''),
    lacksReason: fits.some(({ reason }) => reason.trim() === ''),
  }
}

/** An address of an element in its source, whose file's digest is added later; undefined for what a script has made. */
const targetOf = (place: CompositionElement | undefined): MendTarget | undefined => {
  if (!place || place.file === null || place.line === null) return undefined
  if (/^#[\w-]+$/.test(place.selector)) return place.selector
  return { file: place.file, line: place.line, digest: '' }
}

/** The operations that mend a spot; none where the source does not hold an element that they change. */
const mendOf = ({ mend = [], element }: CheckSpot, { elements }: CompositionFacts) => {
  const operations = mend.flatMap(({ element: place = element ?? -1, ...operation }) => {
    const target = targetOf(elements[place])
    return target === undefined ? [] : [{ ...operation, target }]
  })
  return operations.length === mend.length ? operations : []
}

const findingOf = (
  composition: SeenComposition,
  { plugin, level }: ChosenRule,
  spot: CheckSpot,
  variables: string | null,
): FoundFinding => {
  const { facts } = composition
  const { rule } = plugin
  const { frames, element, box, file, line, message, hint = plugin.hint, figures = {}, certainty = 'certain' } = spot
  const mend = mendOf(spot, facts)
  const place = element === undefined || element === null ? undefined : facts.elements[element]
  const { isIgnored, lacksReason } = ignoreOf(composition, rule, element)
  const finding: CheckFinding = {
    rule,
    level,
    from: Number((frames[0] / facts.fps).toFixed(3)),
    to: Number((frames[1] / facts.fps).toFixed(3)),
    frames: [frames[0], frames[1]],
    where: {
      element: place?.selector ?? null,
      file: file ?? place?.file ?? null,
      line: line ?? place?.line ?? null,
      box: box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null,
    },
    message,
    hint: lacksReason ? `${hint} It is not ignored: data-check-ignore needs a reason in data-check-reason.` : hint,
    figures,
    certainty,
    variables,
    ...(mend.length > 0 && { mend }),
  }
  return { finding, isIgnored }
}

/** Everything that rules find in a composition, in order of time; `variables` names the values that it was shown with. */
export const findAll = (
  composition: SeenComposition,
  rules: readonly ChosenRule[],
  variables: string | null,
): FoundFinding[] => {
  const { facts } = composition
  return rules
    .flatMap((chosen) => {
      const { plugin } = chosen
      const spots = spotsOf(plugin, facts)
      for (const spot of spots) {
        const problem = problemOf(spot, facts)
        if (problem !== undefined) throw fail('VID_CHECK_SPOT', { rule: plugin.rule, problem }, { plugin: plugin.name })
      }
      return joinSpots(spots, facts).map((spot) => findingOf(composition, chosen, spot, variables))
    })
    .sort((one, other) => one.finding.from - other.finding.from || one.finding.rule.localeCompare(other.finding.rule))
}
