import type { Problem } from '../../api.ts'
import { captureText } from '../model/capture-text.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { attempt } from '../state/notices.ts'
import { reportedComposition } from '../state/playback.ts'
import { captureReply, checkCapturedFrames, isChecking, problems } from '../state/problems.ts'
import { CompositionFindings } from './composition-findings.tsx'
import { LEVELS } from './levels.ts'

const Line = ({ problem }: { readonly problem: Problem }) => (
  <li class={`card problem ${problem.severity}`}>
    <div class="problem-head">
      <span class={`badge ${problem.severity}`}>{LEVELS[problem.severity]}</span>
      <code>{problem.code}</code>
    </div>
    <p>{problem.message}</p>
    {problem.hint && <p class="quiet">{problem.hint}</p>}
    {problem.place && <PlaceButton {...problem.place} />}
  </li>
)

/** Why each frame takes all those before it. */
const Stateful = () => {
  const { stateful = false, because = [] } = reportedComposition.value?.probe ?? {}
  if (!stateful) return null
  return (
    <li class="card problem note">
      <div class="problem-head">
        <span class="badge note">Note</span>
        <code>stateful</code>
      </div>
      <p>Its frames depend on those before them, so that going back replays it: {because.join('; ')}.</p>
    </li>
  )
}

/** Everything that is wrong with the composition, or that its author should know. */
export const ProblemsPanel = () => (
  <>
    <h2 class="hidden">Problems</h2>
    <div class="row">
      <button type="button" class="button" disabled={isChecking.value} onClick={() => attempt(checkCapturedFrames)}>
        {isChecking.value ? 'Checking…' : 'Check by a real capture'}
      </button>
      {captureReply.value && !isChecking.value && <span class="quiet">{captureText(captureReply.value.frames)}</span>}
    </div>
    {problems.value.length === 0 && <p class="quiet">Nothing was found in its text.</p>}
    <ul class="cards">
      {problems.value.map((problem) => (
        <Line
          key={`${problem.code} ${problem.message} ${problem.place?.file}:${problem.place?.line}`}
          problem={problem}
        />
      ))}
      <Stateful />
    </ul>
    <CompositionFindings />
  </>
)
