import { containerOptions } from '@vid/container/settings'
import { defineTarget, Type, usesCaptions } from '@vid/kernel'

/** Renders each request in a separate container, with Docker or Podman. */
export default defineTarget({
  name: '@vid/target-docker',
  options: Type.Object({ ...containerOptions }),
  refuses: (request) => [
    ...(request.gpu ? ['hardware encoding is not supported in a container'] : []),
    ...(request.poster === undefined ? [] : ['a poster is not supported; vid snapshot takes pictures']),
    ...(usesCaptions(request, 'sidecar') ? ['captions sidecar is not supported; captions track is'] : []),
  ],
  async examine({ options: { image }, signal }) {
    const { examineEngine } = await import('@vid/container')
    return examineEngine(image, { env: process.env, signal })
  },
  async check(_request, { signal }) {
    const { checkEngine } = await import('@vid/container')
    await checkEngine({ env: process.env, signal })
  },
  async render(request, context) {
    // Loaded on use, because the standard preset lists this target for every command.
    const { renderInContainer } = await import('@vid/container')
    return renderInContainer(request, context)
  },
})
