import { describe, expect, it } from 'vitest';
import { chooseBackEnd, MONGO_IMAGE, NATS_IMAGE } from './back-end.ts';

/** A Docker engine that has some images, and can pull any other. */
function engineWith(...local: string[]) {
  const pulled: string[] = [];
  const connect = async () => ({
    image: {
      exists: async (image: { string: string }) => local.includes(image.string),
      pull: async (image: { string: string }) => void pulled.push(image.string),
    },
  });
  return { pulled, connect };
}

const ignore = () => undefined;

describe('without TEST_INFRA', () => {
  it('tests run on containers if the Docker engine has the images, and on embedded servers otherwise', async () => {
    const some = engineWith(MONGO_IMAGE, NATS_IMAGE);
    expect(await chooseBackEnd({}, ignore, some.connect)).toMatchObject({ backEnd: 'testcontainers' });
    const one = engineWith(MONGO_IMAGE);
    expect(await chooseBackEnd({}, ignore, one.connect)).toEqual({
      backEnd: 'embedded',
      because: `the image ${NATS_IMAGE} is not available locally, which TEST_INFRA=testcontainers would pull`,
    });
  });

  it('tests pull no image', async () => {
    const { pulled, connect } = engineWith();
    await chooseBackEnd({}, ignore, connect);
    expect(pulled).toEqual([]);
  });

  it('tests run on embedded servers if no Docker engine responds', async () => {
    const connect = () => Promise.reject(new Error('connect ENOENT'));
    expect(await chooseBackEnd({}, ignore, connect)).toEqual({
      backEnd: 'embedded',
      because: 'no Docker engine responds',
    });
  });
});

it('TEST_INFRA=testcontainers pulls the images that are missing', async () => {
  const { pulled, connect } = engineWith(MONGO_IMAGE);
  const { backEnd } = await chooseBackEnd({ TEST_INFRA: 'testcontainers' }, ignore, connect);
  expect(backEnd).toBe('testcontainers');
  expect(pulled).toContain(NATS_IMAGE);
});
