import type { Preset } from '@vid/config'
import { compositionReader } from '@vid/core'
import { resultKeeper } from '@vid/delivery'
import { mediaReader } from '@vid/ffmpeg'
import type { PluginOf } from '@vid/kernel'
import { alpha } from '@vid/preset-alpha'
import { social } from '@vid/preset-social'
import { standard } from '@vid/preset-standard'

/** The presets that come with vid; the first is the default. */
export const builtinPresets = (): readonly Preset[] => [standard(), ...social(), ...alpha()]

/** What every render runs: it reads the composition and its media, and keeps results that could not be delivered. */
export const builtinPlugins = (): readonly PluginOf<'plugin'>[] => [
  compositionReader(),
  mediaReader(),
  resultKeeper(),
]
