import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Errors that end a command with exit code 2: scripts around the command rely on them. */
const promised = `
  VID_ASSET_ROOT_MISSING
  VID_BATCH_EMPTY
  VID_BATCH_JSON
  VID_BATCH_ROW
  VID_BATCH_SHAPE
  VID_BATCH_TOO_LARGE
  VID_BATCH_UNREADABLE
  VID_BROWSER_LACKS
  VID_BROWSER_PATH_MISSING
  VID_BROWSER_PATH_NOT_A_BROWSER
  VID_BROWSER_PATH_NOT_EXECUTABLE
  VID_BROWSER_WITHOUT_WINDOW
  VID_CACHE_DIR_UNSAFE
  VID_CACHE_DIR_UNUSABLE
  VID_CAPTURE_MISSING
  VID_COMMAND_UNKNOWN
  VID_CONFIG_BROKEN
  VID_CONFIG_INVALID
  VID_CONFIG_UNSAFE
  VID_ENTRY_HIDDEN
  VID_ENTRY_MISSING
  VID_ENTRY_OUTSIDE
  VID_FEATURE_UNAVAILABLE
  VID_FFMPEG_PATH
  VID_FLAGS_INVALID
  VID_FLAG_ALONE
  VID_FLAG_CONFLICT
  VID_FLAG_INVALID
  VID_FLAG_UNKNOWN
  VID_FORMAT_UNKNOWN
  VID_FRAME_FORMAT
  VID_LANE_UNAVAILABLE
  VID_MANIFEST_FOREIGN
  VID_MEDIA_CACHE_BYTES
  VID_NETWORK_LIMITED
  VID_OUTPUTS_APART
  VID_OUTPUT_EXISTS
  VID_OUTPUT_FOREIGN
  VID_OUTPUT_INPUT
  VID_OUTPUT_KIND
  VID_OUTPUT_NAME
  VID_OUTPUT_NESTED
  VID_OUTPUT_RESERVED
  VID_OUTPUT_SOURCE
  VID_OUTPUT_SUFFIX
  VID_OUTPUT_TWICE
  VID_PLUGIN_API_VERSION
  VID_PLUGIN_INVALID
  VID_PLUGIN_NAME_INVALID
  VID_PLUGIN_OPTIONS
  VID_PLUGIN_ROLE_UNKNOWN
  VID_PRESET_UNKNOWN
  VID_PROJECT_MISSING
  VID_RANGE_UNFIT
  VID_REQUEST_INVALID
  VID_S3_CREDENTIALS
  VID_S3_KEY
  VID_SANDBOX_MODE
  VID_SCALE_UNFIT
  VID_SETTINGS_INVALID
  VID_SNAPSHOT_FRAMES
  VID_SNAPSHOT_TIME
  VID_TAP_REFUSED
  VID_TARGET_REFUSES
  VID_TARGET_UNKNOWN
  VID_USAGE
  VID_VARIABLES_JSON
  VID_VARIABLES_NOT_OBJECT
  VID_VARIABLES_TOO_LARGE
  VID_VARIABLES_UNREADABLE
  VID_VIDEO_BITRATE
  VID_WEBHOOK_HEADER
  VID_WEBHOOK_URL
`

test('exactly the promised errors end a command with exit code 2, and all others with 1', () => {
  // `npm run check` keeps the page in step with the tables of all packages.
  const page = readFileSync(new URL('../ERRORS.md', import.meta.url), 'utf8')
  const entries = [...page.matchAll(/^### (\w+)$[\s\S]*?^- Fault: (\w+)\n- Exit code: (\d)$/gm)]
  expect(entries.length).toBeGreaterThan(100)
  expect(new Set(entries.map(([, , , exitCode]) => exitCode))).toEqual(new Set(['1', '2']))
  const wrongInput = entries.filter(([, , , exitCode]) => exitCode === '2')
  expect(wrongInput.map(([, code]) => code).sort()).toEqual(promised.trim().split(/\s+/))
  expect(new Set(wrongInput.map(([, , fault]) => fault))).toEqual(new Set(['caller']))
})
