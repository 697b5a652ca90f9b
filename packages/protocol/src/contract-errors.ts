import { defineErrors, type ErrorTable } from './errors.ts'

/** Errors of data and plugins that break the contract before anything runs. */
export const contractErrors = {
  VID_PLUGIN_INVALID: (f: { plugin: string; problem: string }) => ({
    message: `plugin ${f.plugin} cannot be used: ${f.problem}`,
    hint: 'make plugins with the define functions of @vid/kernel, and give each its own name',
    fault: 'caller',
  }),
  VID_PLUGIN_API_VERSION: (f: { plugin: string; wanted: number; found: unknown }) => ({
    message: `plugin ${f.plugin} has apiVersion ${String(f.found)}; this kernel needs ${f.wanted}`,
    hint: `install a version of ${f.plugin} that is made for this version of vid`,
    fault: 'caller',
  }),
  VID_PLUGIN_OPTIONS: (f: { plugin: string; problems: readonly string[] }) => ({
    message: `options of ${f.plugin} are wrong: ${f.problems.join('; ')}`,
    hint: `see the options table in the README of ${f.plugin}`,
    fault: 'caller',
  }),
  VID_REQUEST_INVALID: (f: { problems: readonly string[] }) => ({
    message: `the render request is wrong: ${f.problems.join('; ')}`,
    hint: 'correct the values named above',
    fault: 'caller',
  }),
  VID_PLAN_INVALID: (f: { problems: readonly string[] }) => ({
    message: `the plan is not valid: ${f.problems.join('; ')}`,
    hint: 'make the plan again with the version of vid that renders it; if that is the case, a plugin on the plan hook broke it: vid inspect lists the taps',
    final: true,
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes the errors of data and plugins that break the contract. */
export const failContract = defineErrors(contractErrors)
