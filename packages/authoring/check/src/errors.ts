import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of checking compositions. */
export const checkErrors = {
  VID_CHECK_RULE: (f: { rule: string; near: string | undefined; known: readonly string[] }) => ({
    message: `There is no check named "${f.rule}".`,
    hint: `${f.near === undefined ? '' : `Did you mean "${f.near}"? `}Known: ${f.known.join(', ')}.`,
    fault: 'caller',
  }),
  VID_CHECK_RULE_TWICE: (f: { rule: string; plugin: string; other: string }) => ({
    message: `${f.plugin} and ${f.other} both have a check named "${f.rule}".`,
    hint: 'Leave one of them out of checks in the config.',
    fault: 'caller',
  }),
  VID_CHECK_SPOT: (f: { rule: string; problem: string }) => ({
    message: `The check "${f.rule}" reported a finding that cannot be shown: ${f.problem}.`,
    hint: 'Correct the plugin: frames are those of the composition, and an element is a position in its elements.',
    fault: 'caller',
  }),
  VID_CHECK_CLIPS: (f: { clips: number; max: number }) => ({
    message: `The composition has ${f.clips} timed elements; at most ${f.max} are checked.`,
    hint: 'Check parts of it as separate compositions, or put data-start on groups of elements instead of on each one.',
    fault: 'caller',
  }),
  VID_CHECK_BASELINE: (f: { path: string; reason: string }) => ({
    message: `The baseline "${f.path}" cannot be read: ${f.reason}.`,
    hint: 'Write one with --write-baseline.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(checkErrors)
