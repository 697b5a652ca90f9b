import { defineWarnings, type WarningTable } from '@vid/protocol'

/** Warnings about the configuration. */
export const configWarnings = {
  VID_CONFIG_SEVERAL: (f: { file: string; others: readonly string[] }) => ({
    message: `${f.file} is used; ${f.others.join(', ')} in the same folder ${f.others.length === 1 ? 'is' : 'are'} not.`,
    hint: 'Keep one config file in a folder.',
  }),
  VID_ENCODERS_ALIKE: (f: { format: string; source: string; used: string; unused: readonly string[] }) => ({
    message: `${f.used} makes the ${f.format}, because it comes first (${f.source}); ${f.unused.join(', ')} could make it too.`,
    hint: 'Of encoders for one format, keep one; "vid inspect" shows which encoder makes which format.',
  }),
  VID_PLUGIN_VERSION: (f: { plugin: string; range: string; version: string }) => ({
    message: `${f.plugin} is made for @vid/kernel ${f.range}; this is version ${f.version}.`,
    hint: `Install a version of ${f.plugin} that is made for this version of vid.`,
  }),
} satisfies WarningTable

/** Creates the warnings of this package. */
export const configWarning = defineWarnings(configWarnings)
