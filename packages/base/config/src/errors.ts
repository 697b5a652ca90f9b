import { defineErrors, didYouMean, type ErrorTable } from '@vid/protocol'
import { packageOrigin } from '@vid/system/origin'

/** What to do about a package that is not installed. */
const missingPackage = (reason: string): string | undefined => {
  const [, name] = /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)'/.exec(reason) ?? []
  return name && `Run "${packageOrigin().install(name)}" in the folder of that file, or correct the name.`
}

/** Errors of finding, loading and merging the configuration. */
export const configErrors = {
  VID_CONFIG_BROKEN: (f: { file: string; line: number | undefined; reason: string }) => ({
    message: `${f.file}${f.line === undefined ? '' : `:${f.line}`} cannot be loaded: ${f.reason}.`,
    hint: missingPackage(f.reason) ?? 'Correct the file at that line.',
    fault: 'caller',
  }),
  VID_CONFIG_INVALID: (f: { file: string; problems: readonly string[] }) => ({
    message: `${f.file} is wrong: ${f.problems.join('; ')}.`,
    hint: 'Write it with defineConfig from @vid/config, which checks the types in your editor.',
    fault: 'caller',
  }),
  VID_CONFIG_NAME: (f: { file: string; names: readonly string[] }) => ({
    message: `${f.file} is not read: a config file is one of ${f.names.join(', ')}.`,
    hint: 'Rename it and write it in that form, or remove it.',
    fault: 'caller',
  }),
  VID_CONFIG_UNSAFE: (f: { file: string; reason: string }) => ({
    message: `${f.file} is not loaded, because another user could have written it: ${f.reason}.`,
    hint: 'Remove it, or make yourself the only user who can write to it and to the folders above it (chown, chmod go-w). If you trust it, run the command in its folder.',
    fault: 'caller',
  }),
  VID_PRESET_UNKNOWN: (f: { preset: string; source: string; known: readonly string[] }) => ({
    message: `There is no preset "${f.preset}" (from ${f.source}); known: ${f.known.join(', ')}.`,
    hint: `${didYouMean(f.preset, f.known)}Choose a known preset, or add it to presets in vid.config.ts.`,
    fault: 'caller',
  }),
  VID_TARGET_UNKNOWN: (f: { target: string; source: string; known: readonly string[] }) => ({
    message: `There is no target "${f.target}" (from ${f.source}); known: ${f.known.join(', ')}.`,
    hint: `${didYouMean(f.target, f.known)}Choose a known target, or add it to targets in vid.config.ts.`,
    fault: 'caller',
  }),
  VID_TARGET_MISSING: (f: { target: string; source: string; package: string }) => ({
    message: `The target "${f.target}" (from ${f.source}) comes with the package ${f.package}, which is not installed.`,
    hint: `Run "${packageOrigin().install(f.package)}".`,
    fault: 'caller',
  }),
  VID_PRESET_MISSING: (f: { preset: string; source: string; package: string }) => ({
    message: `The preset "${f.preset}" (from ${f.source}) comes with the package ${f.package}.`,
    hint: `Run "${packageOrigin().install(f.package)}", and add it to presets in vid.config.ts.`,
    fault: 'caller',
  }),
  VID_CAPTURE_MISSING: (f: { preset: string }) => ({
    message: `Neither the config nor the preset "${f.preset}" names a capture engine.`,
    hint: 'Set capture in vid.config.ts.',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(configErrors)
