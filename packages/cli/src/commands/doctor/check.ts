import { describeCause, isVidError, withoutCredentials } from '@vid/kernel'

/** One thing that was tried. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** Whether renders fail without it. */
  readonly required: boolean
  /** What was found. */
  readonly detail: string
  /** What to do; empty where nothing is to be done. */
  readonly hint: string
  /** What does not work as long as it fails; empty where it does not fail. */
  readonly missing: string
  /** The command that mends it; empty without one. */
  readonly command: string
}

/** What a trial has found; a trial that rejects has failed. */
export interface Finding {
  readonly detail: string
  /** Left out when it works. */
  readonly failed?: boolean
  readonly hint?: string
  readonly command?: string
}

/** Something to try. */
export interface Trial {
  readonly name: string
  readonly required: boolean
  /** What does not work without it. */
  readonly missing: string
  /** The command that mends it, where a trial that rejects cannot say it. */
  readonly command?: string
  /** What to do, for errors that do not say it. */
  readonly hint?: string
  /** Names of trials without which this one says nothing. */
  readonly needs?: readonly string[]
  look(signal: AbortSignal): Promise<Finding>
  /** Mends it without asking and without root; resolves to what it did, or to undefined if there was nothing to do. */
  mend?(signal: AbortSignal): Promise<string | undefined>
}

/** Something that was mended. */
export interface Mended {
  /** Of the trial. */
  readonly name: string
  readonly done: string
}

/** A part of a machine that does not answer in this time does not work; a browser that starts for the first time is unpacked. */
const TRIAL_MS = 120_000

/** How long a check may take to end after it was aborted. */
const GRACE_MS = 5000

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

const failure = (thrown: unknown, { hint = '', command = '' }: Trial): Finding => {
  const [line = ''] = withoutCredentials(describeCause(thrown)).split('\n')
  if (!isVidError(thrown)) return { failed: true, detail: line, hint, command }
  const detail = withoutCredentials(`${thrown.code}: ${thrown.message}`)
  return { failed: true, detail, hint: thrown.hint || hint, command }
}

const lookInTime = async (look: Trial['look'], signal: AbortSignal): Promise<Finding> => {
  const late = AbortSignal.timeout(TRIAL_MS)
  const trialSignal = AbortSignal.any([signal, late])
  const looking = look(trialSignal)
  // What heeds the signal is waited for, so that it leaves nothing; what does not is left alone.
  const ended = aborted(trialSignal).then(() => Promise.race([looking, aborted(AbortSignal.timeout(GRACE_MS))]))
  try {
    return (await Promise.race([looking, ended])) ?? (await Promise.reject(trialSignal.reason))
  } catch (thrown) {
    signal.throwIfAborted()
    if (late.aborted) throw new Error(`it was not done after ${TRIAL_MS / 1000} s`, { cause: thrown })
    throw thrown
  }
}

const lookOnce = (trial: Trial, signal: AbortSignal): Promise<Finding> =>
  lookInTime(trial.look, signal).catch((thrown: unknown) => {
    signal.throwIfAborted()
    return failure(thrown, trial)
  })

/** What to do about a thing that is broken, and whether to mend it. */
export interface TrialRules {
  readonly before: readonly Check[]
  readonly signal: AbortSignal
  /** Called with what was mended; left out, nothing is. */
  readonly onMended?: ((mended: Mended) => void) | undefined
}

/** Tries one thing, and once more after mending it; rejects only when the user stops the command. */
export const tryOut = async (trial: Trial, { before, signal, onMended }: TrialRules): Promise<Check> => {
  const { name, required, missing, needs = [] } = trial
  const broken = before.find((check) => needs.includes(check.name) && !check.ok)
  const offer = trial.mend && !onMended && !broken ? 'vid doctor --fix' : ''
  const checkOf = ({ failed = false, detail, hint = '', command = '' }: Finding): Check => {
    const answer = failed ? { missing, command: command || offer } : { missing: '', command: '' }
    return { name, ok: !failed, required, detail, hint, ...answer }
  }
  if (broken)
    return checkOf({
      failed: true,
      detail: `not tried, since ${broken.name} fails`,
      hint: `mend ${broken.name} first`,
    })
  const outcome = await lookOnce(trial, signal)
  if (!outcome.failed || !onMended || !trial.mend) return checkOf(outcome)
  const done = await trial.mend(signal).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const reason = withoutCredentials(describeCause(thrown)).split('\n')[0]
    return { reason }
  })
  if (done === undefined) return checkOf(outcome)
  if (typeof done === 'object') return checkOf({ ...outcome, hint: `it could not be mended: ${done.reason}` })
  onMended({ name, done })
  return checkOf(await lookOnce(trial, signal))
}
