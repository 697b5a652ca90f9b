import { describeCause, isVidError, withoutCredentials } from '@vid/protocol'
import { aborted, afterServed } from '@vid/system'

/** The result of one check. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** Whether renders fail without it. */
  readonly required: boolean
  /** The finding, in a few words. */
  readonly detail: string
  /** What to do; empty if there is nothing to do. */
  readonly hint: string
  /** What does not work while it fails; empty if it passes. */
  readonly missing: string
  /** The command that fixes it; empty if none does. */
  readonly command: string
}

/** The finding of a trial; a trial that rejects has failed. */
export interface TrialFinding {
  readonly detail: string
  /** Left out if the part works. */
  readonly failed?: boolean
  readonly hint?: string
  readonly command?: string
}

/** A part of the setup that can be tested. */
export interface Trial {
  readonly name: string
  readonly required: boolean
  /** What does not work without it. */
  readonly missing: string
  /** The command that fixes it, if the trial rejects. */
  readonly command?: string
  /** The hint for errors that have none. */
  readonly hint?: string
  /** Names of trials that must pass before this one runs. */
  readonly needs?: readonly string[]
  look(signal: AbortSignal): Promise<TrialFinding>
  /** Fixes it without a prompt and without root; resolves to a description, or to undefined if there was nothing to do. */
  mend?(signal: AbortSignal): Promise<string | undefined>
}

/** A fix that was applied. */
export interface Mended {
  /** Of the trial. */
  readonly name: string
  readonly done: string
}

/** Served time of a trial; long enough to unpack a browser that starts for the first time. */
const TRIAL_MS = 120_000

/** Served time in which a check must end after it was aborted. */
const GRACE_MS = 5000

const failure = (thrown: unknown, { hint = '', command = '' }: Trial): TrialFinding => {
  const [line = ''] = withoutCredentials(describeCause(thrown)).split('\n')
  if (!isVidError(thrown)) return { failed: true, detail: line, hint, command }
  const detail = withoutCredentials(`${thrown.code}: ${thrown.message}`)
  return { failed: true, detail, hint: thrown.hint || hint, command }
}

const servedTime = (ms: number): Promise<undefined> =>
  new Promise((resolve) => void afterServed(ms, () => resolve(undefined)))

const lookInTime = async (look: Trial['look'], signal: AbortSignal): Promise<TrialFinding> => {
  const late = new AbortController()
  const cancel = afterServed(TRIAL_MS, () => late.abort(new Error(`it did not finish within ${TRIAL_MS / 1000} s`)))
  const trialSignal = AbortSignal.any([signal, late.signal])
  const looking = look(trialSignal)
  // A trial that obeys the signal is awaited, so that it can clean up; any other is abandoned.
  const ended = aborted(trialSignal).then(() => Promise.race([looking, servedTime(GRACE_MS)]))
  try {
    return (await Promise.race([looking, ended])) ?? (await Promise.reject(trialSignal.reason))
  } catch (thrown) {
    signal.throwIfAborted()
    throw late.signal.aborted ? late.signal.reason : thrown
  } finally {
    cancel()
  }
}

const lookOnce = (trial: Trial, signal: AbortSignal): Promise<TrialFinding> =>
  lookInTime(trial.look, signal).catch((thrown: unknown) => {
    signal.throwIfAborted()
    return failure(thrown, trial)
  })

/** The checks so far, and whether to apply fixes. */
export interface TrialRules {
  readonly before: readonly Check[]
  readonly signal: AbortSignal
  /** Called with each fix; if left out, nothing is fixed. */
  readonly onMended?: ((mended: Mended) => void) | undefined
}

/** Runs a trial, and once more after a fix; rejects only when the user stops the command. */
export const tryOut = async (trial: Trial, { before, signal, onMended }: TrialRules): Promise<Check> => {
  const { name, required, missing, needs = [] } = trial
  const broken = before.find((check) => needs.includes(check.name) && !check.ok)
  const offer = trial.mend && !onMended && !broken ? 'vid doctor --fix' : ''
  const checkOf = ({ failed = false, detail, hint = '', command = '' }: TrialFinding): Check => {
    const answer = failed ? { missing, command: command || offer } : { missing: '', command: '' }
    return { name, ok: !failed, required, detail, hint, ...answer }
  }
  if (broken)
    return checkOf({
      failed: true,
      detail: `not tested, since ${broken.name} failed`,
      hint: `Fix ${broken.name} first.`,
    })
  const outcome = await lookOnce(trial, signal)
  if (!outcome.failed || !onMended || !trial.mend) return checkOf(outcome)
  const done = await trial.mend(signal).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const reason = withoutCredentials(describeCause(thrown)).split('\n')[0]
    return { reason }
  })
  if (done === undefined) return checkOf(outcome)
  if (typeof done === 'object') return checkOf({ ...outcome, hint: `It could not be fixed: ${done.reason}` })
  onMended({ name, done })
  return checkOf(await lookOnce(trial, signal))
}
