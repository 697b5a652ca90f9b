import type { ProducerRender } from '@vid/client/contract'
import { type RenderRequest, usesCaptions } from '@vid/kernel'

/** The formats of a request, those of its additional outputs last. */
const formatsOf = ({ format, outputs }: Pick<RenderRequest, 'format' | 'outputs'>): string[] => [
  format,
  ...outputs.map((output) => output.format),
]

/** Describes the parts of a request that a render server's body cannot express. */
export const refusedByBody = (request: RenderRequest): readonly string[] => {
  const formats = formatsOf(request)
  const twice = formats.filter((format, index) => formats.indexOf(format) !== index)
  return [
    ...[...new Set(twice)].map((format) => `several outputs of one format (${format}) are not supported`),
    ...(usesCaptions(request, 'sidecar') ? ['captions sidecar is not supported; captions track is'] : []),
    ...(request.poster === undefined ? [] : ['a poster is not supported; vid snapshot takes pictures']),
    ...(request.browserGpu === true ? ['browserGpu is not supported: the config of the server decides'] : []),
  ]
}

/** Converts a request to a render server's format, for an uploaded project. */
export const producerBodyOf = (request: RenderRequest, project: string, preset: string | undefined): ProducerRender => {
  const { projectDir: _dir, output: _output, force: _force, browserGpu: _gpu, ...travelling } = request
  const { outputs, entry, network, raster, ...shared } = travelling
  return {
    ...shared,
    ...(preset !== undefined && { preset }),
    // The local default is not sent, because a server that allows less would refuse it.
    ...(network !== 'public' && { network }),
    // The server's config chooses, unless the caller does.
    ...(raster !== 'auto' && { raster }),
    format: formatsOf({ format: shared.format, outputs }).join(','),
    entryFile: entry,
    project,
  }
}
