import type { ComponentChildren } from 'preact'
import { selectWhere } from '../edit/select-element.ts'
import { markLanes } from '../model/mark-lanes.ts'
import { formatSeconds } from '../model/timecode.ts'
import { changedFrames, comparison, hasOtherState, type Since, since } from '../review/changed-frames.ts'
import { showFinding } from '../review/choose-finding.ts'
import { chosenComment, openComments, showComment } from '../review/comments.ts'
import { chosenFinding, compositionCheck, findings } from '../review/findings.ts'
import { seekToTime } from '../state/seek-to.ts'
import { timeScale } from '../state/timeline.ts'
import { scrub } from './scrub.ts'

interface MarkProps {
  readonly from: number
  readonly to: number
  readonly kind: string
  readonly name: string
  readonly lane?: number
  readonly isChosen?: boolean
  onPress(): void
}

/** A stretch of the composition; the panels list the same for the keyboard. */
const Mark = ({ from, to, kind, name, lane = 0, isChosen = false, onPress }: MarkProps) => {
  const { perSecond } = timeScale.value
  return (
    <button
      type="button"
      tabIndex={-1}
      class={`stretch ${kind}`}
      style={{ left: `${from * perSecond}px`, width: `${Math.max(4, (to - from) * perSecond)}px`, '--lane': lane }}
      aria-label={name}
      aria-current={isChosen}
      title={name}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={onPress}
    />
  )
}

const MarkRow = ({ label, children }: { readonly label: ComponentChildren; readonly children: ComponentChildren }) => (
  <div class="timeline-row mark-row">
    <div class="row-label">{label}</div>
    <div class="lane" {...scrub}>
      {children}
    </div>
  </div>
)

const CHOICES: readonly (readonly [Since, string])[] = [
  ['written', 'Since written'],
  ['head', 'Since HEAD'],
]

const SinceChoice = () => (
  <select
    aria-label="Since when changed frames are shown"
    title="Frames that differ from the written composition, or from the last commit of git"
    value={since.value}
    onChange={({ currentTarget }) => {
      since.value = currentTarget.value === 'head' ? 'head' : 'written'
    }}
  >
    {CHOICES.map(([name, text]) => (
      <option key={name} value={name}>
        {text}
      </option>
    ))}
  </select>
)

/** The frames that differ from the written state, or from the last commit. */
export const ChangedRow = () => {
  const problem = comparison.error.value || changedFrames.value?.error?.message
  return (
    <MarkRow label={<SinceChoice />}>
      {hasOtherState.value && comparison.isWorking.value && <span class="mark-note quiet">Comparing…</span>}
      {problem && <span class="mark-note quiet">{problem}</span>}
      {changedFrames.value?.intervals.map(({ start, end, from, until, elements }) => (
        <Mark
          key={start}
          from={from}
          to={until}
          kind="changed"
          name={`Frames ${start} to ${end - 1} differ${elements.length > 0 ? `: ${elements.join(', ')}` : ''}`}
          onPress={() => {
            seekToTime(from)
            const [element = null] = elements
            if (element !== null) selectWhere({ element, file: null, line: null })
          }}
        />
      ))}
    </MarkRow>
  )
}

/** Lanes of marks that overlap. */
const LANES = 3

/** What the check of the composition has found. */
export const FindingsRow = () => {
  const all = findings.value
  const lanes = markLanes(all, LANES)
  return (
    <MarkRow label={<span>Findings</span>}>
      <div class={compositionCheck.isCurrent.value ? 'stretches' : 'stretches old'}>
        {all.map((finding, index) => (
          <Mark
            key={index}
            from={finding.from}
            to={finding.to}
            lane={lanes[index] ?? 0}
            kind={finding.level}
            name={`${finding.rule}, ${formatSeconds(finding.from)} to ${formatSeconds(finding.to)}: ${finding.message}`}
            isChosen={finding === chosenFinding.value}
            onPress={() => showFinding(finding)}
          />
        ))}
      </div>
    </MarkRow>
  )
}

/** Open comments; no row without one. */
export const CommentsRow = () => {
  const stretches = openComments.value.map(({ from, to }) => ({ from, to: to ?? from }))
  if (stretches.length === 0) return null
  const lanes = markLanes(stretches, LANES)
  return (
    <MarkRow label={<span>Comments</span>}>
      {openComments.value.map((comment, index) => (
        <Mark
          key={comment.id}
          from={comment.from}
          to={comment.to ?? comment.from}
          lane={lanes[index] ?? 0}
          kind="comment"
          name={`Comment at ${formatSeconds(comment.from)}: ${comment.text}`}
          isChosen={comment.id === chosenComment.value}
          onPress={() => showComment(comment)}
        />
      ))}
    </MarkRow>
  )
}
