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

/** How one entry went: `hit`, or why it was missed; and what was reported of the correct film. */
export const judge = (entry, { wrong, right }) => {
  const reported = wrong.filter(isReported)
  const byRule = reported.filter(({ rule }) => rule === entry.rule)
  const byElement = byRule.filter((finding) => fitsElement(finding, entry))
  const isHit = byElement.some((finding) => fitsInterval(finding, entry))
  const reason = byRule.length === 0 ? 'not reported' : byElement.length === 0 ? 'other element' : 'other interval'
  return { entry, isHit, ...(isHit ? {} : { reason }), reported, alarms: right.filter(isReported) }
}

const percent = (part, whole) => (whole === 0 ? 100 : (100 * part) / whole)

/** Recall and false alarms of some verdicts, in percent. */
const rowOf = (group, verdicts) => {
  const hits = verdicts.filter(({ isHit }) => isHit).length
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
