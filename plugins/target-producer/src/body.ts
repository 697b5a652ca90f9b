import type { ProducerRender, RenderRequest } from '@vid/kernel'

/** The formats of a request, those of its further files last. */
const formatsOf = ({ format, outputs }: Pick<RenderRequest, 'format' | 'outputs'>): string[] => [
  format,
  ...outputs.map((output) => output.format),
]

/** What of a request the body of a render server cannot say. */
export const refusedByBody = (request: RenderRequest): readonly string[] => {
  const formats = formatsOf(request)
  const twice = formats.filter((format, index) => formats.indexOf(format) !== index)
  return [
    ...[...new Set(twice)].map((format) => `several outputs of one format (${format}) are not supported`),
    ...(request.browserGpu === true ? ['browserGpu is not supported: the config of the server decides'] : []),
  ]
}

/** A request as a render server takes it, for a project that was sent. */
export const bodyOf = (request: RenderRequest, project: string, preset: string | undefined): ProducerRender => {
  const { projectDir: _dir, output: _output, force: _force, browserGpu: _gpu, ...travelling } = request
  const { outputs, entry, network, raster, ...shared } = travelling
  return {
    ...shared,
    ...(preset !== undefined && { preset }),
    // The default here: the server may allow less, and refuses no request for that.
    ...(network !== 'public' && { network }),
    // The config of the server chooses, unless the caller does.
    ...(raster !== 'auto' && { raster }),
    format: formatsOf({ format: shared.format, outputs }).join(','),
    entryFile: entry,
    project,
  }
}
