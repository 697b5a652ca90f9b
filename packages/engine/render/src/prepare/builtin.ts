import { sourceReader } from '@vid/assets'
import { captionsReader } from '@vid/captions'
import type { MergeInput, Preset } from '@vid/config'
import { compositionReader } from '@vid/core'
import { mediaReader } from '@vid/ffmpeg'
import type { PluginOf } from '@vid/kernel'
import { alpha } from '@vid/preset-alpha'
import { social } from '@vid/preset-social'
import { segmentReuse, standard } from '@vid/preset-standard'
import { resultKeeper } from '../outputs/result-keeper.ts'
import { sourceGuard } from '../outputs/sources.ts'

/** The presets that come with vid; the first is the default. */
export const builtinPresets = (): readonly Preset[] => [standard(), ...social(), ...alpha()]

/** Hosts at private addresses that the capture engine of this machine may fetch from; sources may come from there too. */
const privateHostsOf = ({ options }: PluginOf<'capture'>): { readonly privateHosts?: string[] } =>
  Array.isArray(options.privateHosts) ? { privateHosts: options.privateHosts.map(String) } : {}

/**
 * Plugins that every render runs: they read the composition and its captions, find and probe its media, reuse finished segments, guard
 * sources from being replaced, and keep results that could not be delivered.
 */
export const builtinPlugins: MergeInput['plugins'] = ({ capture, fresh }) => [
  compositionReader(),
  sourceReader(privateHostsOf(capture)),
  mediaReader(),
  captionsReader(),
  sourceGuard(),
  resultKeeper(),
  segmentReuse({ fresh }),
]
