import { defineErrors, type ErrorTable } from '@vid/kernel'

const INSTALL = 'install Docker or Podman, or render without --docker'

/** Errors of rendering in a container. */
export const containerErrors = {
  VID_CONTAINER_ENGINE_MISSING: (f: { searched: readonly string[]; isChosen: boolean }) => ({
    message: f.isChosen
      ? `VID_CONTAINER_ENGINE names "${f.searched.join()}", and there is no such program`
      : `no container engine is installed; looked for ${f.searched.join(' and ')}`,
    hint: f.isChosen ? 'let it name a program such as podman, or unset it' : INSTALL,
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_SILENT: (f: { program: string; reason: string }) => ({
    message: `${f.program} does not answer: ${f.reason}`,
    hint: `start the engine, or choose another with VID_CONTAINER_ENGINE; "${f.program} info" has to work`,
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_DENIED: (f: { program: string; reason: string }) => ({
    message: `this user may not use ${f.program}: ${f.reason}`,
    hint: 'let the user use the engine (for Docker: add it to the group docker), or use Podman, which needs no such right',
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_FAILED: (f: { program: string; command: string; reason: string }) => ({
    message: `${f.program} ${f.command} has failed: ${f.reason}`,
    hint: `see whether "${f.program} info" works, and whether the disk has room`,
    fault: 'machine',
  }),
  VID_CONTAINER_UNLIMITED: (f: { program: string }) => ({
    message: `${f.program} cannot limit the memory of a container of this user`,
    hint: 'use control groups of version 2, or run the engine as root',
    fault: 'machine',
  }),
  VID_CONTAINER_ARCHITECTURE: (f: { image: string; found: string }) => ({
    message: `the image ${f.image} cannot be run here: it is for ${f.found}, and the embedded browser is for linux/amd64`,
    hint: 'use an engine for amd64, or one that emulates it (Docker Desktop does), and build the image there with "vid container build"',
    fault: 'machine',
  }),
  VID_CONTAINER_IMAGE_MISSING: (f: { image: string; reason: string }) => ({
    message: `the image ${f.image} is not there, and it cannot be made: ${f.reason}`,
    hint: 'in a checkout, run "npm run lab -- container-recipe" and then "vid container build"; elsewhere, pull or load the image first',
    fault: 'machine',
  }),
  VID_CONTAINER_IMAGE_FOREIGN: (f: { image: string; found: string; wanted: string }) => ({
    message: `the image ${f.image} holds ${f.found}, and this is vid ${f.wanted}`,
    hint: 'build it anew with "vid container build", or name an image of this version',
    fault: 'caller',
  }),
  VID_CONTAINER_BUILD_FAILED: (f: { step: string; reason: string }) => ({
    message: `the image could not be built: ${f.step} has failed: ${f.reason}`,
    hint: 'run "vid container build" to see all that it writes',
    fault: 'machine',
  }),
  VID_CONTAINER_FOLDER: (f: { path: string; covers: string }) => ({
    message: `${f.path} cannot be shown to a container: it would cover ${f.covers} there`,
    hint: 'put the composition, or the config, into a folder of its own',
    fault: 'caller',
  }),
  VID_CONTAINER_MOUNT: (f: { path: string }) => ({
    message: `${f.path}, which the container is to read, is not there`,
    hint: 'correct the option mounts of the target',
    fault: 'caller',
  }),
  VID_CONTAINER_LINK: (f: { path: string; link: string; real: string }) => ({
    message: `a container would not find the code that is imported as ${f.path}: ${f.link} is a link, or lies behind one, and leads to ${f.real}`,
    hint: 'import the code by a path without links, or name the link in the option mounts of the target',
    fault: 'caller',
  }),
  VID_CONTAINER_PACKAGE: (f: { name: string; reason: string }) => ({
    message: `the package ${f.name} cannot be shown to a container: ${f.reason}`,
    hint: 'install it instead of linking it, or name its folder in the option mounts of the target',
    fault: 'caller',
  }),
  VID_CONTAINER_PLATFORM: (f: { platform: string }) => ({
    message: `rendering in a container is not possible on ${f.platform}`,
    hint: 'run vid inside WSL, or render without --docker',
    fault: 'caller',
  }),
  VID_CONTAINER_ENVIRONMENT: (f: { name: string }) => ({
    message: `the variable ${f.name}, which the container is to have, is not set here`,
    hint: `set it, or take it out of the option env of the target`,
    fault: 'caller',
  }),
  VID_CONTAINER_NOT_STARTED: (f: { program: string; reason: string }) => ({
    message: `${f.program} has not started the container: ${f.reason}`,
    hint: 'what the engine says is its own; "vid container info" shows engine and image',
    fault: 'machine',
  }),
  VID_CONTAINER_ENDED: (f: { exit: string; reason: string }) => ({
    message: `the container ended (${f.exit}) before its render was done${f.reason && `: ${f.reason}`}`,
    hint: 'it was stopped by somebody, or took more memory than it may: see the option memory of the target',
    fault: 'machine',
  }),
  VID_CONTAINER_DISK: (f: { bytes: number }) => ({
    message: `the container wrote more than ${f.bytes} bytes, or left the disk no room`,
    hint: 'raise the option disk of the target if the result is that large, or free some space',
    fault: 'machine',
  }),
  VID_CONTAINER_RESULT: (f: { reason: string }) => ({
    message: `the container has answered with something else than a result: ${f.reason}`,
    hint: 'use an image of this version: "vid container build" makes it',
    fault: 'machine',
  }),
  VID_CONTAINER_ORDER: (f: { path: string; reason: string }) => ({
    message: `the request ${f.path} cannot be read inside the container: ${f.reason}`,
    hint: 'the engine must run on this machine and see its folder for temporary files; an engine elsewhere is of no use',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(containerErrors)
