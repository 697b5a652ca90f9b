import type { CheckFinding } from '@vid/check/events'
import { formatSeconds } from '../model/timecode.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { showFinding } from '../review/choose-finding.ts'
import { checkProgress, chosenFinding, compositionCheck, findings, isCheckedWhenIdle } from '../review/findings.ts'
import { LEVELS } from './levels.ts'

const Finding = ({ finding }: { readonly finding: CheckFinding }) => {
  const { rule, level, from, to, message, hint, where } = finding
  return (
    <li class={`card problem ${level}`} aria-current={finding === chosenFinding.value}>
      <div class="problem-head">
        <span class={`badge ${level}`}>{LEVELS[level]}</span>
        <code>{rule}</code>
        <button
          type="button"
          class="place numbers"
          title="Go to this time, and select the element"
          onClick={() => showFinding(finding)}
        >
          {formatSeconds(from)} – {formatSeconds(to)}
        </button>
      </div>
      <p>{message}</p>
      <p class="quiet">{hint}</p>
      {where.element !== null && <code class="quiet">{where.element}</code>}
      {where.file !== null && where.line !== null && <PlaceButton file={where.file} line={where.line} />}
    </li>
  )
}

const leftOutText = ({ ignored, baselined }: { readonly ignored: number; readonly baselined: number }) =>
  [
    ...(ignored > 0 ? [`${ignored} ignored by the page`] : []),
    ...(baselined > 0 ? [`${baselined} old ones of check-baseline.json left out`] : []),
  ].join(', ')

const Status = () => {
  const reply = compositionCheck.reply.value
  if (compositionCheck.error.value) return <p class="error-text">{compositionCheck.error.value}</p>
  if (compositionCheck.isWorking.value) {
    const { done, total } = checkProgress.value ?? { done: 0, total: 1 }
    return (
      <p class="row quiet">
        <progress aria-label="Frames that are checked" max={total} value={done} /> Checking the composition…
      </p>
    )
  }
  if (!reply) return <p class="quiet">The composition has not been checked yet.</p>
  if (reply.error) return <p class="error-text">{reply.error.message}</p>
  const what = reply.state === 'staged' ? 'the composition as it is staged' : 'the composition as it is written'
  const leftOut = leftOutText(reply)
  const count = reply.findings.length === 0 ? 'No findings' : `${reply.findings.length} findings`
  return (
    <p class="quiet">
      {compositionCheck.isCurrent.value
        ? `${count} in ${what}.`
        : 'These findings are of the composition before the last change.'}
      {leftOut && ` ${leftOut}.`}
    </p>
  )
}

/** What `vid check` finds in the whole composition. */
export const CompositionFindings = () => (
  <section class="section" aria-label="Findings in the composition">
    <h3>In the composition</h3>
    <div class="row">
      <button type="button" class="button" onClick={compositionCheck.start}>
        Check the composition
      </button>
      <label class="row">
        <input
          type="checkbox"
          checked={isCheckedWhenIdle.value}
          onChange={({ currentTarget }) => {
            isCheckedWhenIdle.value = currentTarget.checked
          }}
        />
        after each change
      </label>
    </div>
    <Status />
    <ul class="cards">
      {findings.value.map((finding, index) => (
        <Finding key={index} finding={finding} />
      ))}
    </ul>
  </section>
)
