/** What the flags of a command are about, in the order in which --help shows them; those of no group come last. */
export const optionGroups: Readonly<Record<string, readonly string[]>> = {
  'what is rendered': ['composition', 'variables', 'variables-file', 'strict', 'strict-variables', 'from', 'to'],
  'the result': ['output', 'format', 'force', 'fps', 'scale', 'resolution', 'shapes', 'shape', 'quality'].concat([
    'codec',
    'crf',
    'video-bitrate',
    'gif-loop',
    'ladder',
    'loudness',
    'hdr',
    'sdr',
    'captions',
    'poster',
    'width',
    'height',
    'output-key',
    'aspect-ratio',
  ]),
  'many at once': [
    'batch',
    'batch-columns',
    'rows',
    'only-failed',
    'batch-concurrency',
    'batch-fail-fast',
    'max-concurrent-renders',
  ],
  'how and where': ['preset', 'target', 'docker', 'workers', 'cache', 'fresh', 'network', 'gpu', 'browser-gpu'].concat([
    'raster',
    'video-frame-format',
  ]),
}

/** Flags up to which a command's are shown as one list. */
const MAX_UNGROUPED = 12

/** Flags by what they are about; one group without a title for a few. */
export const groupOptions = <T extends { readonly name: string }>(
  flags: readonly T[],
): readonly { readonly title: string; readonly flags: readonly T[] }[] => {
  if (flags.length <= MAX_UNGROUPED) return [{ title: 'flags', flags }]
  const grouped = Object.entries(optionGroups).map(([title, names]) => ({
    title,
    flags: flags.filter(({ name }) => names.includes(name)),
  }))
  const rest = flags.filter((flag) => !grouped.some((group) => group.flags.includes(flag)))
  return [...grouped, { title: 'other flags', flags: rest }].filter((group) => group.flags.length > 0)
}
