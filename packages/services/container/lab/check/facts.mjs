// What is refused with a code of its own, and what the image and its start cost.
import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../../../scripts/workspaces.mjs'
import { BASE_IMAGE, podman } from './engine.mjs'
import { codeOf, must, page, vid, write } from './vid.mjs'

/** An archive with one file, to make an image of. */
const tarOf = (work) => {
  const archive = join(work, 'tiny.tar')
  execFileSync('tar', ['-C', project(work), '-cf', archive, 'index.html'])
  return archive
}

const project = (work) => write(join(work, 'small'), { 'index.html': page('<h1>vid</h1>') })

const refused = async (env, work, code, config) => {
  const folder = write(join(work, `refused-${code}`), {
    'index.html': page('refused'),
    ...(config && { 'vid.config.mjs': config }),
  })
  const ended = await vid(env, folder, 'render', '.', '-o', '../refused.mp4', '--docker')
  must(codeOf(ended) === code && /hint: /.test(ended.stderr), `${code} was expected: ${ended.stderr}`)
}

const box = ({ plugin }, options) =>
  `import docker from '${plugin}'\nexport default { targets: { docker: docker(${JSON.stringify(options)}) } }`

export const facts = {
  async 'no engine is a coded error'({ env, work }) {
    const { VID_CONTAINER_ENGINE: _engine, ...others } = env
    await refused({ ...others, PATH: '/nowhere' }, work, 'VID_CONTAINER_ENGINE_MISSING')
  },
  async 'an engine that does not answer is a coded error'({ env, work }) {
    const program = join(work, 'docker')
    write(work, { docker: '#!/bin/sh\necho "Cannot connect to the Docker daemon" >&2\nexit 1\n' })
    chmodSync(program, 0o755)
    await refused({ ...env, VID_CONTAINER_ENGINE: program }, work, 'VID_CONTAINER_ENGINE_SILENT')
  },
  async 'an engine that refuses this user is a coded error'({ env, work }) {
    const program = join(work, 'docker')
    write(work, {
      docker: '#!/bin/sh\necho "permission denied while trying to connect to the docker API" >&2\nexit 1\n',
    })
    chmodSync(program, 0o755)
    await refused({ ...env, VID_CONTAINER_ENGINE: program }, work, 'VID_CONTAINER_ENGINE_DENIED')
  },
  async 'an image that is nowhere, and nothing to build one from, are coded errors'(places) {
    const { env, work } = places
    await refused(env, work, 'VID_CONTAINER_IMAGE_MISSING', box(places, { image: 'localhost/nothing:1' }))
    const recipe = path('packages/services/container/recipe')
    renameSync(recipe, `${recipe}-away`)
    try {
      await refused(env, work, 'VID_CONTAINER_IMAGE_MISSING')
    } finally {
      renameSync(`${recipe}-away`, recipe)
    }
  },
  async 'an image for another architecture is a coded error'(places) {
    const { env, work } = places
    podman(env, 'import', '--arch', 'arm64', '--change', 'LABEL dev.vid.version=0.1.0', tarOf(work), 'localhost/arm:1')
    await refused(env, work, 'VID_CONTAINER_ARCHITECTURE', box(places, { image: 'localhost/arm:1' }))
  },
  async 'an image without this vid is a coded error'(places) {
    await refused(places.env, places.work, 'VID_CONTAINER_IMAGE_FOREIGN', box(places, { image: BASE_IMAGE }))
  },
  async 'two builds that use nothing of earlier ones make the same image, and leave no other'({ env, work }) {
    const digests = []
    for (let round = 0; round < 2; round += 1) {
      const words = ['container', 'build', '--force', '--json', '--base-image', BASE_IMAGE]
      const { code, stdout, stderr } = await vid(env, work, ...words)
      must(code === 0, stderr.slice(-600))
      digests.push(JSON.parse(stdout).image.id)
    }
    must(digests[0] === digests[1], `the digests are ${digests.join(' and ')}`)
    const images = podman(env, 'images', '--quiet', '--filter', 'label=dev.vid.prepared')
    must(images === '', `the first stage is kept: ${images}`)
    return digests[0].slice(0, 19)
  },
  async 'a second build of an unchanged tree builds nothing'({ env, work }) {
    const begun = performance.now()
    const { code, stderr } = await vid(env, work, 'container', 'build')
    must(code === 0 && stderr.includes('exists already'), stderr)
    return `${((performance.now() - begun) / 1000).toFixed(1)} s`
  },
  async 'what the start of a container costs'({ env, work }) {
    const folder = project(work)
    const times = { here: [], container: [] }
    for (let round = 0; round < 5; round += 1)
      for (const [side, ...flags] of [
        ['here', '--no-cache'],
        ['container', '--docker'],
      ]) {
        const begun = performance.now()
        const { code, stderr } = await vid(env, folder, 'render', '.', '-o', '../small.mp4', ...flags)
        must(code === 0, stderr)
        times[side].push(performance.now() - begun)
      }
    const median = (list) => (list.sort((a, b) => a - b)[2] / 1000).toFixed(2)
    return `30 frames: ${median(times.here)} s here, ${median(times.container)} s in a container (medians of 5)`
  },
  async 'the size of the image, by layers'({ env, image }) {
    const lines = podman(env, 'history', '--format', '{{.Size}}\t{{.CreatedBy}}', image)
      .split('\n')
      .filter((line) => !line.startsWith('0 B'))
      .map((line) => line.slice(0, 110))
    return `\n    ${lines.join('\n    ')}`
  },
}
