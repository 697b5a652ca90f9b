import type { OptionTable } from './option.ts'
import { requestOptions } from './setting-option.ts'

const anyObject = async () => {
  const { Type } = await import('@vid/protocol')
  return Type.Record(Type.String(), Type.Unknown())
}

/** Every option of `vid render`; other commands take those that they share from here. */
export const renderOptions = {
  ...requestOptions({
    output: {
      about:
        'path of the result; a folder for png-sequence and hls; with --batch, {name} and {index} stand for values of a row, with --shapes {shape} for 9x16',
      default: 'renders/<name>.<format>',
      path: 'write',
    },
    format: { about: 'output format, or several with commas' },
    variables: { kind: 'text', pattern: /^/, value: anyObject },
    browserGpu: { kind: 'switch', about: 'draw pages on the GPU of this machine; --no-browser-gpu never does' },
  }),
  'variables-file': { kind: 'text', rule: 'a path', about: 'JSON file with values of variables', path: 'read' },
  fresh: { kind: 'switch', about: 'render every segment again, and keep it' },
  cache: { kind: 'switch', about: 'reuse finished segments, --no-cache to keep none', default: 'on' },
  preset: { kind: 'text', rule: 'a name', about: 'preset of the config to start from', default: 'standard' },
  target: { kind: 'text', rule: 'a name', about: 'target of the config to render on', default: 'local' },
  batch: {
    kind: 'text',
    rule: 'a path',
    about: 'table (CSV, TSV) or JSON with a row for each video; - for standard input',
    path: 'read',
  },
  'batch-columns': {
    kind: 'text',
    rule: 'pairs of a heading and a variable',
    about: 'variables of columns with other headings: "Full name=name,Score=points"',
  },
  'batch-concurrency': {
    kind: 'integer',
    min: 1,
    max: 64,
    about: 'rows rendered at once',
    default: '1',
  },
  'batch-fail-fast': {
    kind: 'switch',
    about: 'start no row after a failed one',
  },
  'batch-retries': {
    kind: 'integer',
    min: 0,
    max: 10,
    about: 'times that a row is started again after a fault of a machine',
    default: '2 on other machines, 0 on this one',
  },
  rows: {
    kind: 'text',
    rule: 'numbers and ranges',
    about: 'rows of --batch to render, such as 10-20,35; as messages count them',
  },
  'only-failed': { kind: 'switch', about: 'render only rows of --batch that failed the last time' },
  'max-concurrent-renders': {
    kind: 'integer',
    min: 1,
    max: 10,
    about: 'a setting of vid producer: renders at once on the render server; no effect here',
    default: '2',
  },
  docker: { kind: 'switch', about: 'render in a container of Docker or Podman; the same as --target docker' },
  json: { kind: 'switch', about: 'events on stdout, one JSON object a line' },
  quiet: { kind: 'switch', about: 'print errors only' },
} as const satisfies OptionTable
