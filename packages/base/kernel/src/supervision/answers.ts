import { checkPlan, failContract, failRender, isVidError, type RenderPlan } from '@vid/protocol'
import type { KernelHooks, SegmentTask } from '../contracts/hooks.ts'

interface Rule {
  /** In words, after "expected". */
  readonly expected: string
  fits(value: unknown): boolean
}

type Data = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isNothing = (value: unknown) => value === undefined || value === null
const isArtifact = (value: unknown): boolean =>
  isRecord(value) && typeof value.path === 'string' && (isNothing(value.more) || isListOf(value.more, isArtifact))
const isEncodedFile = (value: unknown): boolean =>
  isRecord(value) && isText(value.file) && (isNothing(value.more) || isListOf(value.more, isEncodedFile))
const isListOf = (value: unknown, isOne: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne)

const functions = (what: string, names: readonly string[]): Rule => ({
  expected: `${what} with ${names.map((name) => `${name}()`).join(', ')}`,
  fits: (value) => isRecord(value) && names.every((name) => typeof value[name] === 'function'),
})

const artifact: Rule = { expected: 'an artifact, as { path }', fits: isArtifact }
const encodedFile: Rule = { expected: 'a file, as { file }', fits: isEncodedFile }

/** What a plugin answers when it is asked: in a hook, and in functions of its own. */
const rules = {
  resolve: { expected: 'an object of variables', fits: isRecord },
  source: { expected: 'the path of a file', fits: isText },
  execute: artifact,
  capture: functions('a session', ['probe', 'frames', 'close']),
  segment: encodedFile,
  encode: encodedFile,
  mix: {
    expected: 'a sound, as { file }',
    fits: (value) => isRecord(value) && (value.file === null || isText(value.file)),
  },
  join: artifact,
  probe: {
    expected: 'what the page says, as { duration, stateful }',
    fits: (value) =>
      isRecord(value) &&
      (value.duration === null || typeof value.duration === 'number') &&
      typeof value.stateful === 'boolean',
  },
  settings: { expected: 'an object of settings', fits: (value) => value === undefined || isRecord(value) },
  build: { expected: 'a text', fits: (value) => typeof value === 'string' },
  deliver: { expected: 'an address, or nothing', fits: (value) => isNothing(value) || isText(value) },
  grow: functions('a growth', ['update', 'end', 'finish']),
  publish: functions('a publication', ['add', 'end']),
  store: functions('a store', ['get', 'put', 'read', 'write', 'touch', 'list', 'remove', 'close']),
  'store.get': { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
  'store.read': { expected: 'a text, or nothing', fits: (value) => isNothing(value) || typeof value === 'string' },
} satisfies Readonly<Record<string, Rule>>

const ruleOf = (subject: string): Rule | undefined =>
  Object.hasOwn(rules, subject) ? rules[subject as keyof typeof rules] : undefined

/** Most characters of an answer that are shown. */
const MAX_SHOWN = 80

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'function') return 'a function'
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, MAX_SHOWN)
  } catch {
    return 'something that cannot be read'
  }
}

/** The error of a plugin that answered with something else than was asked for; `hook` is where it was asked. */
export const wrongAnswer = (plugin: string, hook: string, expected: string, value: unknown) =>
  failRender('VID_ANSWER_WRONG', { plugin, hook, expected, got: shown(value) }, { plugin, hook })

/** The answer of a plugin to `subject`, a hook or one of its functions; refused where it does not fit. */
export const checkAnswer = <T>(plugin: string, subject: keyof typeof rules, value: T, hook: string = subject): T => {
  const { expected, fits } = rules[subject]
  if (!fits(value)) throw wrongAnswer(plugin, hook, expected, value)
  return value
}

/** A step of an iteration; refused where it is none. */
export const checkStep = <T>(plugin: string, hook: string, step: IteratorResult<T>): IteratorResult<T> => {
  if (!isRecord(step)) throw wrongAnswer(plugin, hook, 'a step of an iteration', step)
  return step
}

const problemsOf = (plan: unknown): readonly string[] => {
  try {
    checkPlan(plan)
    return []
  } catch (thrown) {
    if (!isVidError(thrown)) throw thrown
    return thrown.facts.problems as readonly string[]
  }
}

/** Refuses a plan with problems that the one before the tap did not have. */
const checkPlanAnswer = (plugin: string, before: RenderPlan, after: unknown): void => {
  const problems = problemsOf(after)
  if (problems.length === 0) return
  const earlier = new Set(problemsOf(before))
  const added = problems.filter((problem) => !earlier.has(problem))
  if (added.length > 0) throw failContract('VID_PLAN_INVALID', { problems: added, plugin }, { plugin, hook: 'plan' })
}

/** Refuses a segment that lacks the file of an output. */
const checkOutputs = (plugin: string, { segment }: SegmentTask, value: unknown): void => {
  const outputs = segment.plan.outputs?.length ?? 0
  const { length } = (isRecord(value) && Array.isArray(value.more) && value.more) || []
  if (length !== outputs) throw wrongAnswer(plugin, 'segment', `${1 + outputs} files`, value)
}

/** Refuses what a tap has answered where its hook asks for something else; no answer is left to the next tap. */
export const checkTapAnswer = (
  plugin: string,
  hook: keyof KernelHooks,
  args: readonly unknown[],
  value: unknown,
): void => {
  if (isNothing(value)) return
  if (hook === 'plan') checkPlanAnswer(plugin, args[0] as RenderPlan, value)
  if (hook === 'segment') checkOutputs(plugin, args[0] as SegmentTask, value)
  // What a delivery answers is asked of itself, and what other hooks of observers answer is of no use.
  const rule = hook === 'deliver' ? undefined : ruleOf(hook)
  if (rule && !rule.fits(value)) throw wrongAnswer(plugin, hook, rule.expected, value)
}
