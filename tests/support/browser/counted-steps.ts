import type { Locator, Page } from 'playwright-core';

export type Device = 'mouse' | 'keyboard';

/** Does what a member does with one device, and counts it. */
export interface CountedSteps {
  clicks: number;
  /** Keys that do something, such as Enter, and not those that type text. */
  keys: number;
  /** Clicks the element, or focuses it and presses Enter. */
  activate(element: Locator): Promise<void>;
  press(key: string): Promise<void>;
  /** Selects an option of a list. */
  choose(list: Locator, option: string): Promise<void>;
}

export function countedSteps(page: Page, device: Device): CountedSteps {
  const steps: CountedSteps = {
    clicks: 0,
    keys: 0,
    async activate(element) {
      if (device === 'mouse') {
        steps.clicks += 1;
        return element.click();
      }
      await element.focus();
      return steps.press('Enter');
    },
    async press(key) {
      steps.keys += 1;
      await page.keyboard.press(key);
    },
    async choose(list, option) {
      if (device === 'mouse') steps.clicks += 1;
      else steps.keys += 1;
      await list.selectOption(option);
    },
  };
  return steps;
}
