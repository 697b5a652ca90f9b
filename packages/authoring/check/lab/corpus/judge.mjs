// Whether a finding is the mistake of an entry, and how many are.

/** Three frames of 30 a second, which a rule may be off. */
const SLACK_SECONDS = 0.1

const names = (element, selector) =>
  new RegExp(`(?:^|[^\\w-])${selector.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`).test(` ${element}`)

const fitsElement = ({ where }, { elements }) =>
  elements.length === 0 || elements.some((selector) => names(where?.element ?? '', selector))

/** True when the finding covers half of the interval and mostly lies in it. */
const fitsInterval = (finding, entry) => {
  const from = entry.from - SLACK_SECONDS
  const to = entry.to + SLACK_SECONDS
  const inside = Math.min(finding.to, to) - Math.max(finding.from, from)
  const half = (entry.to - entry.from) / 2
  return inside >= half && inside >= (finding.to - finding.from) / 2
}

const isReported = ({ level }) => level === 'error' || level === 'warning'

const missOf = (entry, reported) => {
  const ofRule = reported.filter(({ rule }) => rule === entry.rule)
  if (ofRule.length === 0) return 'not reported'
  const ofElement = ofRule.filter((finding) => fitsElement(finding, entry))
  if (ofElement.length === 0) return `other element: ${ofRule.map(({ where }) => where.element ?? 'none').join(', ')}`
  if (ofElement.some((finding) => fitsInterval(finding, entry))) return null
  return `other interval: ${ofElement.map(({ from, to }) => `${from} to ${to}`).join(', ')}`
}

/**
 * How one entry went: why it was missed, or null; and what was reported of the correct composition. A `program` with other rules
 * and times brings `fits`.
 */
export const judge = (entry, { wrong, right }, { fits } = {}) => {
  const reported = wrong.filter(isReported)
  const isFit = fits && reported.some((finding) => fits(finding, entry, fitsElement))
  const miss = fits ? (isFit ? null : 'not reported') : missOf(entry, reported)
  return { entry, miss, reported, alarms: right.filter(isReported) }
}

const percent = (part, whole) => (whole === 0 ? 100 : (100 * part) / whole)

/** Recall and false alarms of some verdicts, in percent. */
const rowOf = (group, verdicts) => {
  const hits = verdicts.filter(({ miss }) => miss === null).length
  const alarms = verdicts.filter((verdict) => verdict.alarms.length > 0).length
  return {
    group,
    entries: verdicts.length,
    hits,
    alarms,
    recall: percent(hits, verdicts.length),
    falseAlarms: verdicts.length === 0 ? 0 : percent(alarms, verdicts.length),
  }
}

/** A row for each group, and one for all. */
export const totals = (verdicts) => {
  const groups = [...new Set(verdicts.map(({ entry }) => entry.group))]
  const rows = groups.map((group) =>
    rowOf(
      group,
      verdicts.filter(({ entry }) => entry.group === group),
    ),
  )
  return [...rows, rowOf('all', verdicts)]
}
