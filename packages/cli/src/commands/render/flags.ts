import type { FlagTable } from '../../flags/flag.ts'
import { settingFlag } from '../../flags/setting-flag.ts'

/** Every flag of `vid render`; a feature that arrives loses its `missing` here. */
export const renderFlags = {
  output: settingFlag('output', {
    about:
      'where the result goes; a folder for png-sequence; with --batch, {name} and {index} stand for values of a row',
    default: 'renders/<name>.<format>',
  }),
  format: settingFlag('format', { about: 'output format, or several with commas' }),
  force: settingFlag('force'),
  fps: settingFlag('fps'),
  scale: settingFlag('scale'),
  resolution: settingFlag('resolution'),
  from: settingFlag('from'),
  to: settingFlag('to'),
  quality: settingFlag('quality'),
  crf: settingFlag('crf'),
  'video-bitrate': settingFlag('videoBitrate'),
  'gif-loop': settingFlag('gifLoop'),
  'video-frame-format': settingFlag('videoFrameFormat'),
  network: settingFlag('network'),
  workers: settingFlag('workers'),
  composition: settingFlag('entry'),
  variables: settingFlag('variables', { kind: 'text', pattern: /^/ }),
  'variables-file': { kind: 'text', rule: 'a path', about: 'JSON file with values of variables' },
  strict: settingFlag('strict'),
  'strict-variables': settingFlag('strictVariables'),
  fresh: { kind: 'switch', about: 'make every segment anew, and keep it' },
  cache: { kind: 'switch', about: 'reuse finished segments, --no-cache to keep none', default: 'on' },
  preset: { kind: 'text', rule: 'a name', about: 'preset of the config to start from', default: 'standard' },
  target: { kind: 'text', rule: 'a name', about: 'target of the config to render on', default: 'local' },
  batch: { kind: 'text', rule: 'a path', about: 'JSON file with rows to render' },
  'batch-concurrency': {
    kind: 'integer',
    min: 1,
    max: 64,
    about: 'rows rendered at once',
    default: '1',
  },
  'batch-fail-fast': {
    kind: 'switch',
    about: 'start no row after one that failed',
  },
  'max-concurrent-renders': {
    kind: 'integer',
    min: 1,
    max: 10,
    about: 'renders at once on the render server, which vid producer starts; without effect here',
    default: '2',
  },
  gpu: settingFlag('gpu'),
  'browser-gpu': settingFlag('browserGpu', {
    kind: 'switch',
    about: 'draw pages on the GPU of this machine, --no-browser-gpu never',
  }),
  raster: settingFlag('raster'),
  hdr: settingFlag('hdr'),
  sdr: settingFlag('sdr'),
  docker: { kind: 'switch', about: 'render in a container of Docker or Podman; the same as --target docker' },
  json: { kind: 'switch', about: 'events on stdout, one JSON object a line' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies FlagTable

type Name = keyof typeof renderFlags

/** Pairs of flags that contradict each other, beside the settings that do. */
export const renderConflicts: readonly (readonly [Name, Name])[] = [
  ['variables', 'variables-file'],
  ['batch', 'variables'],
  ['docker', 'target'],
  ['batch', 'variables-file'],
]

/** Flags, each with the one it belongs to. */
export const renderNeeds: readonly (readonly [Name, Name])[] = [
  ['batch-concurrency', 'batch'],
  ['batch-fail-fast', 'batch'],
]
