import type { MergeInput, Preset } from '@vid/config'
import { compositionReader } from '@vid/core'
import { resultKeeper } from '@vid/delivery'
import { mediaReader } from '@vid/ffmpeg'
import { alpha } from '@vid/preset-alpha'
import { social } from '@vid/preset-social'
import { standard } from '@vid/preset-standard'
import { segmentReuse } from '@vid/reuse'

/** The presets that come with vid; the first is the default. */
export const builtinPresets = (): readonly Preset[] => [standard(), ...social(), ...alpha()]

/**
 * What every render runs: it reads the composition and its media, reuses finished segments, and keeps results that could
 * not be delivered.
 */
export const builtinPlugins: MergeInput['plugins'] = ({ fresh }) => [
  compositionReader(),
  mediaReader(),
  resultKeeper(),
  segmentReuse({ fresh }),
]
