import { defineErrors, didYouMean, type ErrorTable } from '@vid/kernel'

/** What to do about a package that is not installed. */
const missingPackage = (reason: string): string | undefined => {
  const [, name] = /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)'/.exec(reason) ?? []
  return name && `run "npm install ${name}" in the folder of that file, or correct the name`
}

/** Errors of finding, loading and merging the configuration. */
export const configErrors = {
  VID_CONFIG_BROKEN: (f: { file: string; line: number | undefined; reason: string }) => ({
    message: `${f.file}${f.line === undefined ? '' : `:${f.line}`} cannot be loaded: ${f.reason}`,
    hint: missingPackage(f.reason) ?? 'correct the file at that line',
    fault: 'caller',
  }),
  VID_CONFIG_INVALID: (f: { file: string; problems: readonly string[] }) => ({
    message: `${f.file} is wrong: ${f.problems.join('; ')}`,
    hint: 'write it with defineConfig from @vid/config, which checks the types in your editor',
    fault: 'caller',
  }),
  VID_CONFIG_UNSAFE: (f: { file: string; reason: string }) => ({
    message: `${f.file} is not loaded, because another user could have written it: ${f.reason}`,
    hint: 'remove it, or make it and the folders above it yours and writable by nobody else (chown, chmod go-w); if you trust it, run the command in its folder',
    fault: 'caller',
  }),
  VID_PRESET_UNKNOWN: (f: { preset: string; source: string; known: readonly string[] }) => ({
    message: `there is no preset "${f.preset}" (from ${f.source}); known: ${f.known.join(', ')}`,
    hint: `${didYouMean(f.preset, f.known)}choose a known preset, or add it to presets in vid.config.ts`,
    fault: 'caller',
  }),
  VID_TARGET_UNKNOWN: (f: { target: string; source: string; known: readonly string[] }) => ({
    message: `there is no target "${f.target}" (from ${f.source}); known: ${f.known.join(', ')}`,
    hint: `${didYouMean(f.target, f.known)}choose a known target, or add it to targets in vid.config.ts`,
    fault: 'caller',
  }),
  VID_TARGET_MISSING: (f: { target: string; source: string; package: string }) => ({
    message: `the target "${f.target}" (from ${f.source}) comes with the package ${f.package}, which is not installed`,
    hint: `npm install ${f.package}`,
    fault: 'caller',
  }),
  VID_PRESET_MISSING: (f: { preset: string; source: string; package: string }) => ({
    message: `the preset "${f.preset}" (from ${f.source}) comes with the package ${f.package}`,
    hint: `npm install ${f.package}, and add it to presets in vid.config.ts`,
    fault: 'caller',
  }),
  VID_CAPTURE_MISSING: (f: { preset: string }) => ({
    message: `neither the config nor the preset "${f.preset}" names a capture engine`,
    hint: 'set capture in vid.config.ts',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(configErrors)
