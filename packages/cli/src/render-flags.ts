import type { FlagTable } from './flag.ts'

/** Every flag of `vid render`; a feature that arrives loses its `missing` here. */
export const renderFlags = {
  output: {
    kind: 'text',
    rule: 'a path',
    short: 'o',
    about:
      'where the result goes; a folder for png-sequence; with --batch, {name} and {index} stand for values of a row',
    default: 'renders/<name>.<format>',
  },
  format: {
    kind: 'text',
    rule: 'mp4, mov, webm, gif, png-sequence, or what an encoder of the config makes; several with commas',
    about: 'output format, or several with commas',
    default: 'mp4',
  },
  fps: { kind: 'choice', choices: [24, 30, 60], short: 'f', about: 'frames per second', default: '30' },
  quality: {
    kind: 'choice',
    choices: ['draft', 'standard', 'high'],
    short: 'q',
    about: 'quality preset',
    default: 'standard',
  },
  crf: {
    kind: 'integer',
    min: 0,
    max: 51,
    about: 'constant quality, instead of the one of --quality',
    noEffectOn: ['mov', 'gif', 'png-sequence'],
  },
  'video-bitrate': {
    kind: 'text',
    rule: 'bits per second, like 10M or 5000k',
    pattern: /^[1-9][0-9]{0,8}(\.[0-9]+)?[kM]?$/,
    about: 'target bitrate, instead of a constant quality',
    noEffectOn: ['mov', 'gif', 'png-sequence'],
  },
  'gif-loop': {
    kind: 'integer',
    min: 0,
    max: 65535,
    about: 'loop count of a gif, 0 for ever',
    default: '0',
    noEffectOn: ['mp4', 'mov', 'webm', 'png-sequence'],
  },
  'video-frame-format': {
    kind: 'choice',
    choices: ['auto', 'jpg', 'png'],
    about: 'how frames of source videos are extracted',
    default: 'auto',
  },
  workers: {
    kind: 'integer',
    min: 1,
    max: 8,
    auto: true,
    short: 'w',
    about: 'browsers that capture in parallel',
    default: 'auto',
  },
  composition: {
    kind: 'text',
    rule: 'an HTML file of the folder',
    short: 'c',
    about: 'entry file',
    default: 'index.html',
  },
  variables: { kind: 'text', rule: 'JSON object text', pattern: /^/, about: 'values of variables' },
  'variables-file': { kind: 'text', rule: 'a path', about: 'JSON file with values of variables' },
  strict: {
    kind: 'switch',
    about: 'render nothing when vid lint finds an error or a media source is broken',
  },
  'strict-variables': { kind: 'switch', about: 'make every warning about a variable an error' },
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
    about: 'renders at once on the render server',
    default: '2',
    missing: 'a render server',
    harmless: [2],
  },
  gpu: {
    kind: 'switch',
    about: 'encode in hardware where this machine can (mp4)',
    noEffectOn: ['mov', 'webm', 'gif', 'png-sequence'],
  },
  'browser-gpu': {
    kind: 'switch',
    about: 'capture with the GPU of this machine, --no-browser-gpu without',
    missing: 'capture on a GPU',
    harmless: [false],
  },
  hdr: {
    kind: 'switch',
    about: 'force HDR output (mp4)',
    noEffectOn: ['mov', 'webm', 'gif', 'png-sequence'],
  },
  sdr: { kind: 'switch', about: 'force SDR output: HDR sources are tone-mapped' },
  docker: { kind: 'switch', about: 'render in a container', missing: 'container mode', harmless: [false] },
  json: { kind: 'switch', about: 'events on stdout, one JSON object a line' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies FlagTable

type Name = keyof typeof renderFlags

/** Pairs of flags that contradict each other. */
export const renderConflicts: readonly (readonly [Name, Name])[] = [
  ['crf', 'video-bitrate'],
  ['hdr', 'sdr'],
  ['variables', 'variables-file'],
  ['batch', 'variables'],
  ['batch', 'variables-file'],
]

/** Flags, each with the one it belongs to. */
export const renderNeeds: readonly (readonly [Name, Name])[] = [
  ['batch-concurrency', 'batch'],
  ['batch-fail-fast', 'batch'],
]
