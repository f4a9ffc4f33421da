// Starts `zermelo lsp` and connects the editor with it.

'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async function activate() {
  const command = vscode.workspace.getConfiguration('zermelo').get('path', 'zermelo');
  const selector = ['gdl', 'minizinc'].flatMap((language) => [
    { scheme: 'file', language },
    { scheme: 'untitled', language },
  ]);
  client = new LanguageClient('zermelo', 'Zermelo', { command, args: ['lsp'] }, { documentSelector: selector });
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(`${command} lsp cannot be started: ${problem.message}. Set zermelo.path in the settings.`);
  }
};

exports.deactivate = () => client?.stop();
