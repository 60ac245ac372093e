import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

/** Without a main landmark, screen readers cannot jump to the text of VitePress's own page. */
function notFound() {
  return h('main', { class: 'not-found' }, [
    h('h1', 'Page not found'),
    h('p', 'The address is wrong, or the page has moved. Search for it, or start at the home page.'),
    h('a', { href: '/docs/' }, 'Go to the home page'),
  ]);
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
};
