import { defineErrors, type ErrorTable } from './errors.ts'

/** Errors of data and plugins that break the contract before anything runs. */
export const contractErrors = {
  VID_PLUGIN_INVALID: (f: { plugin: string; problem: string }) => ({
    message: `Plugin ${f.plugin} cannot be used: ${f.problem}.`,
    hint: 'Define plugins with the functions of @vid/kernel, and give each a unique name.',
    fault: 'caller',
  }),
  VID_PLUGIN_API_VERSION: (f: { plugin: string; wanted: number; found: unknown }) => ({
    message: `Plugin ${f.plugin} has apiVersion ${String(f.found)}; this kernel needs ${f.wanted}.`,
    hint: `Install a version of ${f.plugin} that is made for this version of vid.`,
    fault: 'caller',
  }),
  VID_PLUGIN_OPTIONS: (f: { plugin: string; problems: readonly string[] }) => ({
    message: `Options of ${f.plugin} are wrong: ${f.problems.join('; ')}.`,
    hint: `See the options table in the README of ${f.plugin}.`,
    fault: 'caller',
  }),
  VID_REQUEST_INVALID: (f: { problems: readonly string[] }) => ({
    message: `The render request is wrong: ${f.problems.join('; ')}.`,
    hint: 'Correct the values named above.',
    fault: 'caller',
  }),
  VID_PLAN_INVALID: (f: { problems: readonly string[]; plugin?: string }) => ({
    message: `The plan is not valid${f.plugin === undefined ? '' : ` after ${f.plugin} has changed it`}: ${f.problems.join('; ')}.`,
    hint:
      f.plugin === undefined
        ? 'Make the plan with the same version of vid; if it is the same, a plugin on the plan hook broke the plan: "vid inspect" lists the taps.'
        : `Report it to the author of ${f.plugin}.`,
    final: true,
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes the errors of data and plugins that break the contract. */
export const failContract = defineErrors(contractErrors)
