import { defineErrors, type ErrorTable } from '@vid/protocol'

const INSTALL = 'Install Docker or Podman, or render without --docker.'

/** Errors of rendering in a container. */
export const containerErrors = {
  VID_CONTAINER_ENGINE_MISSING: (f: { searched: readonly string[]; isChosen: boolean }) => ({
    message: f.isChosen
      ? `VID_CONTAINER_ENGINE names "${f.searched.join()}", but that program does not exist.`
      : `No container engine is installed; looked for ${f.searched.join(' and ')}.`,
    hint: f.isChosen ? 'Set it to a program such as podman, or unset it.' : INSTALL,
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_SILENT: (f: { program: string; reason: string }) => ({
    message: `${f.program} does not answer: ${f.reason}.`,
    hint: `Start the engine, or choose another with VID_CONTAINER_ENGINE; "${f.program} info" must work.`,
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_DENIED: (f: { program: string; reason: string }) => ({
    message: `This user may not use ${f.program}: ${f.reason}.`,
    hint: 'Allow the user to use the engine (for Docker, add the user to the group docker), or use Podman.',
    fault: 'machine',
  }),
  VID_CONTAINER_ENGINE_FAILED: (f: { program: string; command: string; reason: string }) => ({
    message: `"${f.program} ${f.command}" failed: ${f.reason}.`,
    hint: `Check that "${f.program} info" works, and that the disk has free space.`,
    fault: 'machine',
  }),
  VID_CONTAINER_UNLIMITED: (f: { program: string }) => ({
    message: `${f.program} cannot limit the memory of a container of this user.`,
    hint: 'Use control groups of version 2, or run the engine as root.',
    fault: 'machine',
  }),
  VID_CONTAINER_ARCHITECTURE: (f: { image: string; found: string }) => ({
    message: `The image ${f.image} cannot run here: it is for ${f.found}, but the embedded browser needs linux/amd64.`,
    hint: 'Use an engine for amd64, or one that emulates it (Docker Desktop does), and build the image there with "vid container build".',
    fault: 'machine',
  }),
  VID_CONTAINER_IMAGE_MISSING: (f: { image: string; reason: string }) => ({
    message: `The image ${f.image} does not exist and cannot be built: ${f.reason}.`,
    hint: 'In a checkout, run "npm run lab -- container-recipe" and then "vid container build"; elsewhere, pull or load the image first.',
    fault: 'machine',
  }),
  VID_CONTAINER_IMAGE_FOREIGN: (f: { image: string; found: string; wanted: string }) => ({
    message: `The image ${f.image} contains ${f.found}, but this is vid ${f.wanted}.`,
    hint: 'Rebuild it with "vid container build", or choose an image of this version.',
    fault: 'caller',
  }),
  VID_CONTAINER_BUILD_FAILED: (f: { step: string; reason: string }) => ({
    message: `The image could not be built: ${f.step} failed: ${f.reason}.`,
    hint: 'Run "vid container build" to see the full output.',
    fault: 'machine',
  }),
  VID_CONTAINER_FOLDER: (f: { path: string; covers: string }) => ({
    message: `${f.path} cannot be mounted into a container: it would hide ${f.covers} there.`,
    hint: 'Put the composition, or the config, into a separate folder.',
    fault: 'caller',
  }),
  VID_CONTAINER_MOUNT: (f: { path: string }) => ({
    message: `${f.path}, which the container should read, does not exist.`,
    hint: 'Correct the option mounts of the target.',
    fault: 'caller',
  }),
  VID_CONTAINER_LINK: (f: { path: string; link: string; real: string }) => ({
    message: `A container cannot find the imported code ${f.path}: ${f.link} is a link, or is behind one, and points to ${f.real}.`,
    hint: 'Import the code by a path without links, or list the link in the option mounts of the target.',
    fault: 'caller',
  }),
  VID_CONTAINER_PACKAGE: (f: { name: string; reason: string }) => ({
    message: `The package ${f.name} cannot be mounted into a container: ${f.reason}.`,
    hint: 'Install it instead of linking it, or list its folder in the option mounts of the target.',
    fault: 'caller',
  }),
  VID_CONTAINER_PLATFORM: (f: { platform: string }) => ({
    message: `Rendering in a container is not possible on ${f.platform}.`,
    hint: 'Run vid inside WSL, or render without --docker.',
    fault: 'caller',
  }),
  VID_CONTAINER_ENVIRONMENT: (f: { name: string }) => ({
    message: `The variable ${f.name}, which the container should get, is not set here.`,
    hint: 'Set it, or remove it from the option env of the target.',
    fault: 'caller',
  }),
  VID_CONTAINER_NOT_STARTED: (f: { program: string; reason: string }) => ({
    message: `${f.program} did not start the container: ${f.reason}.`,
    hint: 'The reason comes from the engine; "vid container info" shows the engine and the image.',
    fault: 'machine',
  }),
  VID_CONTAINER_ENDED: (f: { exit: string; reason: string }) => ({
    message: `The container ended (${f.exit}) before its render finished${f.reason && `: ${f.reason}`}.`,
    hint: 'Somebody stopped it, or it exceeded its memory limit: see the option memory of the target.',
    fault: 'machine',
  }),
  VID_CONTAINER_DISK: (f: { bytes: number }) => ({
    message: `The container wrote more than ${f.bytes} bytes, or filled the disk.`,
    hint: 'Raise the option disk of the target if the result is that large, or free some space.',
    fault: 'machine',
  }),
  VID_CONTAINER_RESULT: (f: { reason: string }) => ({
    message: `The container did not answer with a result: ${f.reason}.`,
    hint: 'Use an image of this version: "vid container build" builds it.',
    fault: 'machine',
  }),
  VID_CONTAINER_ORDER: (f: { path: string; reason: string }) => ({
    message: `The request ${f.path} cannot be read inside the container: ${f.reason}.`,
    hint: 'The engine must run on this machine and see its folder for temporary files; a remote engine does not work.',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(containerErrors)
